import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeList } from '../../../src/store/postgres/encode-list.js';
import { createDatabase, type TestDatabase } from '../../support/components/postgres.js';

describe('a list that is sent to PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase();
  });
  afterAll(() => database.drop());

  const back = async (type: string, values: readonly (string | number | null)[]): Promise<unknown> =>
    (await database.query<{ list: unknown }>(`SELECT to_json(CAST($1 AS ${type}[])) AS list`, [encodeList(values)]))[0]
      ?.list;

  it.each([
    ['nothing', []],
    ['nulls alone', [null, null]],
    ['texts and nulls', ['a', null, '']],
    ['what an array literal would have to quote', ['{"a": "b"}', 'NULL', ',', '\\', '"', '{}', ' a ']],
    ['letters of more than one byte', ['ä', '漢字', '😀', 'é'.repeat(70_000)]],
    [
      'lengths of which a byte is not ASCII',
      [127, 128, 255, 256, 1023, 1024, 65_664].map((chars) => 'x'.repeat(chars)),
    ],
    ['one letter of more than one byte among many', [...Array.from({ length: 300 }, () => 'plain'), null, 'ä']],
  ])('comes back as it was: %s', async (_, values) => {
    expect(await back('TEXT', values)).toEqual(values);
  });

  it('comes back as it was where it holds numbers', async () => {
    expect(await back('BIGINT', [1, null, -5, 2 ** 53 - 1])).toEqual([1, null, -5, 2 ** 53 - 1]);
    expect(await back('DOUBLE PRECISION', [0.1, null, 1e21, -3])).toEqual([0.1, null, 1e21, -3]);
    expect(await back('BIGINT', [null])).toEqual([null]);
  });

  it('holds no NUL, which no text of PostgreSQL can', async () => {
    expect(await back('TEXT', ['a\u0000b'])).toEqual(['a\u00100b']);
  });
});
