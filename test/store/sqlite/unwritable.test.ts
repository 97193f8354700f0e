import { expect, it } from 'vitest';
import { asUnwritable } from '../../../src/store/sqlite/unwritable.js';

const failure = (code: string): Error => Object.assign(new Error(`said ${code}`), { code });

it.each([
  ['KIT_STORE_UNAVAILABLE', ['SQLITE_IOERR_WRITE', 'SQLITE_CANTOPEN', 'SQLITE_NOMEM']],
  ['KIT_STORE_FULL', ['SQLITE_FULL']],
  ['KIT_STORE_READ_ONLY', ['SQLITE_READONLY', 'SQLITE_READONLY_DBMOVED']],
  ['KIT_STORE_CORRUPT', ['SQLITE_CORRUPT', 'SQLITE_CORRUPT_VTAB', 'SQLITE_NOTADB']],
  ['KIT_STORE_REFUSED', ['SQLITE_INTERNAL', 'SQLITE_ABORT']],
])('a write is given up with %s for what is wrong with the file, or with the write', (expected, codes) => {
  for (const code of codes)
    expect(asUnwritable(failure(code)), code).toMatchObject({ code: expected, cause: { code } });
});

it('says of a read or write that has failed where to look', () => {
  expect(asUnwritable(failure('SQLITE_IOERR_WRITE'))).toMatchObject({ hint: expect.stringContaining('a quota') });
  expect(asUnwritable(failure('SQLITE_NOMEM'))).not.toMatchObject({ hint: expect.stringContaining('a quota') });
});
