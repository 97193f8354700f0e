import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MASK, Masker } from '../../src/lib/masker.js';

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
    expect(masker.maskJson(value)).toEqual({ list: [{ [`x-${MASK}`]: `the ${MASK}!` }], pin: MASK, other: 5, none: null });
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
    expect(key.split('\n').map((line) => masker.mask(line))).toEqual(['-----BEGIN KEY-----', MASK, MASK, '-----END KEY-----']);
  });

  it('shows nothing of its values when it is serialised', () => {
    expect(JSON.stringify({ masker: new Masker(['top-secret']) })).not.toContain('top-secret');
  });
});

describe('Masker.stream', () => {
  it('finds a secret however the text is cut', () => {
    fc.assert(
      fc.property(secret, around, around, fc.array(fc.nat(120), { maxLength: 12 }), (value, before, after, cuts) => {
        const masker = new Masker([value]);
        const text = `${before}${value}${after}`;
        const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
        const stream = masker.stream();
        let out = '';
        for (let index = 1; index < places.length; index += 1) out += stream.push(text.slice(places[index - 1], places[index]));
        out += stream.end();
        expect(out.split(MASK).some((rest) => rest.includes(value))).toBe(false);
        expect(out).toContain(MASK);
      }),
    );
  });

  it('does not hold back text that cannot become a secret', () => {
    const stream = new Masker(['secret-value']).stream();
    expect(stream.push('hello ')).toBe('hello ');
    expect(stream.push('secr')).toBe('');
    expect(stream.push('etary')).toBe('secretary');
    expect(stream.end()).toBe('');
  });
});
