import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MASK, Masker } from '../../src/lib/masker.js';
import { ratioOf } from '../support/guards/processor-time.js';

const SMALL = 4_000;
const TIMES = 8;
/** Eight times as much takes eight times as long; where each piece looks at all others, 64. */
const MOST_GROWTH = 24;

/** What eight times as much costs beside the small amount. */
function growthOf(work: (amount: number) => void): number {
  work(SMALL);
  return ratioOf(
    MOST_GROWTH,
    () => work(SMALL * TIMES),
    () => work(SMALL),
  );
}

/** No secret here is a piece of the mask or of another encoding's alphabet marks. */
const secret = fc
  .string({ minLength: 8, maxLength: 40, unit: 'grapheme-ascii' })
  .filter((value) => value.trim().length >= 8 && !MASK.includes(value.trim()));
const around = fc.string({ maxLength: 30, unit: 'grapheme' });

describe('Masker', () => {
  it('masks a secret in every form that it is known to take', () => {
    fc.assert(
      fc.property(secret, around, around, (value, before, after) => {
        const masker = new Masker([value]);
        const spellings = [
          value,
          Buffer.from(value).toString('base64'),
          Buffer.from(value).toString('base64url'),
          encodeURIComponent(value),
          new URLSearchParams({ q: value }).toString().slice(2),
          JSON.stringify(value).slice(1, -1),
          JSON.stringify(JSON.stringify(value)).slice(3, -3),
        ];
        for (const spelling of spellings) {
          const masked = masker.mask(`${before}${spelling}${after}`);
          expect(masked).toContain(MASK);
          expect(masked.split(MASK).some((rest) => rest.includes(spelling))).toBe(false);
        }
      }),
    );
  });

  it('masks a secret inside a longer base64 text, whatever stands before it', () => {
    for (const user of ['', 'a', 'ab', 'abc', 'user:']) {
      const encoded = Buffer.from(`${user}correct-horse-battery`).toString('base64');
      expect(new Masker(['correct-horse-battery']).mask(`Basic ${encoded}`)).toContain(MASK);
    }
  });

  it('masks JSON deep: values, member names and numbers that spell a secret', () => {
    const masker = new Masker(['s3cret-token', '99887766']);
    const value = { list: [{ 'x-s3cret-token': 'the s3cret-token!' }], pin: 99887766, other: 5, none: null };
    expect(masker.maskJson(value)).toEqual({
      list: [{ [`x-${MASK}`]: `the ${MASK}!` }],
      pin: MASK,
      other: 5,
      none: null,
    });
  });

  it('hands on what holds no secret, and copies no more than the way to one', () => {
    const masker = new Masker(['s3cret-token']);
    const plain = { list: ['nothing', { here: 1 }] };
    const value = { plain, told: ['the s3cret-token'] };

    expect(masker.maskJson(plain)).toBe(plain);
    expect(masker.maskJson(value)).toEqual({ plain, told: [`the ${MASK}`] });
    expect(masker.maskJson(value).plain).toBe(plain);
    expect(value.told).toEqual(['the s3cret-token']);
  });

  it('refuses to mask what is too short and says so', () => {
    const masker = new Masker();
    expect(masker.add('abc')).toBe('too_short');
    expect(masker.add('')).toBe('too_short');
    expect(masker.add('abcd')).toBe('added');
    expect(masker.add('abcd')).toBe('known');
    expect(masker.mask('abc abcd')).toBe(`abc ${MASK}`);
  });

  it('leaves no end of two overlapping secrets', () => {
    expect(new Masker(['abcdef', 'defghi']).mask('xabcdefghix')).toBe(`x${MASK}x`);
  });

  it('masks the lines of a key file one by one', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----';
    const masker = new Masker([key]);
    expect(key.split('\n').map((line) => masker.mask(line))).toEqual([
      '-----BEGIN KEY-----',
      MASK,
      MASK,
      '-----END KEY-----',
    ]);
  });

  const KEY = 'sk-7Qw/2e+Rt"9uI0p=ZxCv4bNmLk8JhGf6DsA1';
  const masker = (): Masker => new Masker([KEY]);
  /** Whether four characters of it in a row are left. */
  const shows = (masked: string, form: string): boolean =>
    Array.from({ length: form.length - 3 }, (_, at) => form.slice(at, at + 4)).some((piece) => masked.includes(piece));

  it.each([
    {
      what: 'wrapped by base64',
      text: Buffer.from(KEY.repeat(3))
        .toString('base64')
        .replace(/(.{19})/g, '$1\n'),
    },
    { what: 'wrapped and indented', text: `${KEY.slice(0, 20)}\r\n    ${KEY.slice(20)}` },
    { what: 'in two items that were put below each other', text: `${KEY.slice(0, 9)}\n${KEY.slice(9)}` },
    {
      what: 'wrapped in a JSON text',
      text: JSON.stringify({ out: `${encodeURIComponent(KEY).slice(0, 30)}\n${encodeURIComponent(KEY).slice(30)}` }),
    },
  ])('masks a secret $what, and keeps what stands around it', ({ text }) => {
    const masked = masker().mask(`before ${text} after`);
    for (const form of [KEY, Buffer.from(KEY).toString('base64'), encodeURIComponent(KEY)])
      expect(shows(masked, form.slice(0, -4))).toBe(false);
    expect(masked).toMatch(/^before .*\[MASKED\].* after$/s);
  });

  it.each([Math.ceil(KEY.length / 2), KEY.length - 1])(
    'masks the first and the last %i characters of a secret that somebody cut',
    (chars) => {
      expect(masker().mask(`it says ${KEY.slice(0, chars)}... and more`)).toBe(`it says ${MASK}... and more`);
      expect(masker().mask(`...${KEY.slice(-chars)} | more`)).toBe(`...${MASK} | more`);
    },
  );

  it('keeps the few characters with which a key begins or ends, words that a short secret begins with, and lines without one', () => {
    expect(masker().mask(`sk-7Qw...DsA1`)).toBe('sk-7Qw...DsA1');
    expect(new Masker(['hunter2hunt']).mask('hunter2hu\nnt hunter2')).toBe('hunter2hu\nnt hunter2');
    expect(masker().mask('one\n  two\\n three\r\n')).toBe('one\n  two\\n three\r\n');
  });

  // The limits that docs/security.md names: a change here is a change there.
  it.each([
    { what: 'hexadecimal', text: Buffer.from(KEY).toString('hex') },
    { what: 'reversed', text: [...KEY].reverse().join('') },
    { what: 'in other letters', text: KEY.toUpperCase() },
    { what: 'with something between its characters', text: [...KEY].join(' ') },
    { what: 'encoded twice', text: Buffer.from(Buffer.from(KEY).toString('base64')).toString('base64') },
  ])('does not know a secret that is $what', ({ text }) => {
    expect(masker().mask(text)).toBe(text);
  });

  it.each(['\n', '\\n', 'x\n'])('takes no longer for each of many lines that hold a secret (%j)', (end) => {
    const growth = growthOf((lines) => {
      const masked = new Masker(['sk-live-0123456789abcdef']).mask(`sk-live-0123456789abcdef${end}`.repeat(lines));
      expect(masked).not.toContain('sk-live');
    });
    expect(growth).toBeLessThanOrEqual(MOST_GROWTH);
  });

  it('forks: both know what was known, and what either learns stays its own', () => {
    const first = new Masker(['the-first-secret']);
    const fork = first.fork();
    first.add('apples-and-oranges');
    fork.add('wednesday-morning');

    const text = 'the-first-secret apples-and-oranges wednesday-morning';
    expect(first.mask(text)).toBe(`${MASK} ${MASK} wednesday-morning`);
    expect(fork.mask(text)).toBe(`${MASK} apples-and-oranges ${MASK}`);
    expect([first.size, fork.size]).toEqual([2, 2]);
    expect(fork.add('the-first-secret')).toBe('known');
  });

  it('shows nothing of its values when it is serialised', () => {
    expect(JSON.stringify({ masker: new Masker(['top-secret']) })).not.toContain('top-secret');
  });
});

describe('Masker.stream', () => {
  it('masks a path as a whole: what stands beside it in a directory is not a secret', () => {
    const masker = new Masker(['/home/ann/projects/keys/service.json']);

    expect(masker.mask('cannot read /home/ann/projects/keys/service.json')).toBe(`cannot read ${MASK}`);
    expect(masker.mask('in /home/ann/projects/keys/other.json')).toBe('in /home/ann/projects/keys/other.json');
    expect(masker.mask('/home/ann/projects/work/.kit')).toBe('/home/ann/projects/work/.kit');
  });

  it('masks a URL with a password as far as it is said, and not the server alone', () => {
    const masker = new Masker(['postgres://kit:very-secret@db.example.com:5432/kit']);

    expect(masker.mask('to postgres://kit:very-secret@db.exam...')).toBe(`to ${MASK}...`);
    expect(masker.mask('postgres://kit:very-secret@elsewhere')).toBe(`${MASK}elsewhere`);
    expect(masker.mask('postgres://db.example.com:5432/kit')).toBe('postgres://db.example.com:5432/kit');
  });

  it('finds a secret however the text is cut', () => {
    fc.assert(
      fc.property(secret, around, around, fc.array(fc.nat(120), { maxLength: 12 }), (value, before, after, cuts) => {
        const masker = new Masker([value]);
        const text = `${before}${value}${after}`;
        const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
        const stream = masker.stream();
        let out = '';
        for (let index = 1; index < places.length; index += 1)
          out += stream.push(text.slice(places[index - 1], places[index]));
        out += stream.end();
        expect(out.split(MASK).some((rest) => rest.includes(value))).toBe(false);
        expect(out).toContain(MASK);
      }),
    );
  });

  it('finds a secret that is wrapped, however the text is cut', () => {
    const wrapped = 'a1B2-c3D4+e5F6/\ng7H8=i9J0\n  kLmN';
    for (let cut = 0; cut <= wrapped.length; cut += 1) {
      const stream = new Masker([wrapped.replaceAll(/\n */g, '')]).stream();
      expect(stream.push(`x ${wrapped.slice(0, cut)}`) + stream.push(`${wrapped.slice(cut)} y`) + stream.end()).toBe(
        `x ${MASK} y`,
      );
    }
  });

  it('does not wait for the rest of a secret through blank lines without end', () => {
    const growth = growthOf((pieces) => {
      const stream = new Masker(['secret-value-0123']).stream();
      let out = stream.push('s');
      for (let piece = 0; piece < pieces; piece += 1) out += stream.push('\n   ');

      expect(out.length).toBeGreaterThan(pieces * 3.75);
      expect(out + stream.end()).toBe(`s${'\n   '.repeat(pieces)}`);
    });
    expect(growth).toBeLessThanOrEqual(MOST_GROWTH);
  });

  it('does not hold back text that cannot become a secret', () => {
    const stream = new Masker(['secret-value']).stream();
    expect(stream.push('hello ')).toBe('hello ');
    expect(stream.push('secr')).toBe('');
    expect(stream.push('etary')).toBe('secretary');
    expect(stream.end()).toBe('');
  });
});
