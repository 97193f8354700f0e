import { expect, it } from 'vitest';
import { asUnwritable } from '../../../src/store/sqlite/unwritable.js';

const failure = (code: string): Error => Object.assign(new Error(`said ${code}`), { code });

it.each([
  [
    'KIT_STORE_UNAVAILABLE',
    ['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_NOTADB', 'SQLITE_NOMEM'],
  ],
  ['KIT_STORE_REFUSED', ['SQLITE_CORRUPT', 'SQLITE_CORRUPT_VTAB', 'SQLITE_INTERNAL', 'SQLITE_ABORT']],
])('a write is given up with %s for what is wrong with the file, or with the write', (expected, codes) => {
  for (const code of codes)
    expect(asUnwritable(failure(code)), code).toMatchObject({ code: expected, cause: { code } });
});
