import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isKitError } from '../../src/domain/errors.js';
import { type CursorCodec, createCursorCodec } from '../../src/store/cursor.js';
import { randomFrom, seed } from '../support/crash-share.js';
import { openPostgresWorld } from '../support/postgres-world.js';
import { eventOf } from '../support/store-samples.js';
import { openSqliteWorld } from '../support/store-world.js';

const FORGED = 100_000;
const LOG = '0b9b6f0e-0000-4000-8000-000000000001';
const KEY = randomBytes(32);
const codec = createCursorCodec(LOG, KEY);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

interface Forger {
  readonly name: string;
  readonly forge: (of: { readonly genuine: string; readonly draw: (below: number) => number }) => string;
}

const flipped = (cursor: string, bit: number): string => {
  const bytes = Buffer.from(cursor, 'base64url');
  bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return bytes.toString('base64url');
};
const hexOf = (bytes: number): string => randomBytes(bytes).toString('hex');
/** A cursor as the log issues it for some event. */
const issued = (pos: number, by: CursorCodec = codec): string => by.encode({ pos, mark: hexOf(6) });
const bits = (cursor: string): number => Buffer.from(cursor, 'base64url').length * 8;

const others: Readonly<Record<string, CursorCodec>> = {
  key: createCursorCodec(LOG, randomBytes(32)),
  log: createCursorCodec('0b9b6f0e-0000-4000-8000-000000000002', KEY),
};

/** Every way of making one that was not issued. `genuine` was, for some place of the log. */
const FORGERS: readonly Forger[] = [
  { name: 'one bit flipped', forge: ({ genuine, draw }) => flipped(genuine, draw(bits(genuine))) },
  {
    name: 'two bits flipped',
    forge: ({ genuine, draw }) =>
      flipped(flipped(genuine, draw(bits(genuine) / 2)), bits(genuine) / 2 + draw(bits(genuine) / 2)),
  },
  { name: 'cut', forge: ({ genuine, draw }) => genuine.slice(0, 1 + draw(genuine.length - 1)) },
  { name: 'cut in front', forge: ({ genuine, draw }) => genuine.slice(1 + draw(genuine.length - 1)) },
  { name: 'longer', forge: ({ genuine, draw }) => genuine + (ALPHABET[draw(64)] ?? '').repeat(1 + draw(8)) },
  { name: 'padded', forge: ({ genuine, draw }) => genuine + ['=', '==', ' ', '\n', '%3D', '\u0000'][draw(6)] },
  { name: 'one letter changed', forge: ({ genuine, draw }) => changed(genuine, draw(genuine.length), draw) },
  {
    name: 'two halves of two cursors',
    forge: ({ genuine, draw }) => genuine.slice(0, 12) + issued(1 + draw(1e9)).slice(12),
  },
  { name: 'the place of one under the seal of another', forge: ({ genuine, draw }) => replaced(genuine, draw) },
  { name: 'random bytes of its size', forge: ({ genuine }) => randomBytes(bits(genuine) / 8).toString('base64url') },
  { name: 'random text', forge: ({ draw }) => Array.from({ length: 1 + draw(60) }, () => ALPHABET[draw(64)]).join('') },
  {
    name: 'words',
    forge: ({ draw }) => ['0', '1', '-1', 'null', '{}', '..', 'é', '😀', `${draw(1e9)}`][draw(9)] ?? '0',
  },
  { name: 'of a store with another key', forge: ({ draw }) => issued(draw(1e9), others.key) },
  { name: 'of another log', forge: ({ draw }) => issued(draw(1e9), others.log) },
];

function changed(cursor: string, at: number, draw: (below: number) => number): string {
  const other = [...ALPHABET].filter((letter) => letter !== cursor[at])[draw(63)] ?? '';
  return cursor.slice(0, at) + other + cursor.slice(at + 1);
}

/** The bytes of the place are replaced, everything else is left. */
function replaced(cursor: string, draw: (below: number) => number): string {
  const bytes = Buffer.from(cursor, 'base64url');
  bytes.writeBigUInt64BE(bytes.readBigUInt64BE(1) + BigInt(1 + draw(1000)), 1);
  return bytes.toString('base64url');
}

function refusalOf(cursor: string, read: (cursor: string) => unknown = codec.decode): string {
  try {
    return `accepted as ${String(read(cursor))}`;
  } catch (error) {
    return isKitError(error) ? error.code : String(error);
  }
}

describe('a cursor of the event log', () => {
  it('is read back as the place it was issued for, by every process that has the key', () => {
    const again = createCursorCodec(LOG, KEY);
    const random = randomFrom(seed());
    for (const pos of [
      1,
      2,
      255,
      256,
      2 ** 31,
      2 ** 32,
      Number.MAX_SAFE_INTEGER,
      ...Array.from({ length: 10_000 }, () => Math.floor(random() * 1e12)),
    ]) {
      for (const mark of [null, hexOf(6)]) expect(again.decode(codec.encode({ pos, mark }))).toEqual({ pos, mark });
    }
  });

  it('is read as before without a mark, as a build before this one issued it', () => {
    const head = Buffer.alloc(9);
    head.writeUInt8(1, 0);
    head.writeBigUInt64BE(7n, 1);
    const mac = createHmac('sha256', KEY).update(LOG).update(head).digest().subarray(0, 12);
    expect(codec.decode(Buffer.concat([head, mac]).toString('base64url'))).toEqual({ pos: 7, mark: null });
  });

  it('is the same for the same place, and fits into an address as it is', () => {
    const place = { pos: 7, mark: 'c0ffee00c0de' };
    expect(codec.encode(place)).toBe(codec.encode({ ...place }));
    expect(codec.encode(place)).toMatch(/^[\w-]{36}$/);
  });

  it(`is refused when it was forged, cut or altered: ${FORGED.toLocaleString('en')} of them, seed ${seed()}`, () => {
    const random = randomFrom(seed());
    const draw = (below: number): number => Math.floor(random() * below);
    const accepted: string[] = [];
    for (let n = 0; n < FORGED; n++) {
      const forger = FORGERS[n % FORGERS.length];
      const genuine = issued(1 + draw(1e9));
      const forged = forger?.forge({ genuine, draw }) ?? genuine;
      const refusal = refusalOf(forged);
      if (refusal !== 'KIT_CURSOR_INVALID') accepted.push(`${forger?.name}: ${forged} ${refusal}`);
    }
    expect(accepted).toEqual([]);
  });

  it('is refused with any one of its bits flipped, and any one of its letters cut away', () => {
    const genuine = issued(123_456);
    for (let bit = 0; bit < bits(genuine); bit++)
      expect(refusalOf(flipped(genuine, bit)), `bit ${bit}`).toBe('KIT_CURSOR_INVALID');
    for (let at = 0; at < genuine.length; at++) {
      expect(refusalOf(genuine.slice(0, at) + genuine.slice(at + 1)), `letter ${at}`).toBe('KIT_CURSOR_INVALID');
    }
  });

  it.each([
    ['SQLite', openSqliteWorld],
    ['PostgreSQL', openPostgresWorld],
  ])('opens nothing of a log when it was forged: %s', async (_, open) => {
    const world = await open();
    const { events } = world.stores;
    for (let n = 0; n < 3; n++) await events.append(eventOf(world.ids.uuid(), 'input.rejected', { errors: [] }), {});
    const genuine = (await events.read({ limit: 2 })).nextCursor;
    const random = randomFrom(seed());
    const draw = (below: number): number => Math.floor(random() * below);

    for (const { name, forge } of FORGERS) {
      for (const filter of [{}, { jobId: '' }, { types: ['input.rejected'] as const }]) {
        const page = events.read({ ...filter, after: forge({ genuine, draw }), limit: 10 });
        await expect(page, name).rejects.toMatchObject({ code: 'KIT_CURSOR_INVALID' });
      }
    }
    expect((await events.read({ after: genuine, limit: 10 })).events).toHaveLength(1);
    await world.dispose();
  });
});
