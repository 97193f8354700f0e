import { describe, expect, it } from 'vitest';
import { loadJsonPaths } from '../../src/lib/jsonpath.js';

const locate = async (source: string, value: unknown): Promise<unknown> => {
  const result = (await loadJsonPaths()).compile(source);
  if (!result.ok) throw new Error(result.message);
  return result.path.locate(value);
};

describe('loadJsonPaths', () => {
  it('finds nested members, array items and descendants', async () => {
    const value = { a: { b: [{ c: 1 }, { c: 2, d: 3 }] } };
    expect(await locate('$.a.b[*].c', value)).toEqual([
      ['a', 'b', 0, 'c'],
      ['a', 'b', 1, 'c'],
    ]);
    expect(await locate('$..d', value)).toEqual([['a', 'b', 1, 'd']]);
    expect(await locate("$.a.b[?@.c == 2]['d']", value)).toEqual([['a', 'b', 1, 'd']]);
    expect(await locate('$', 1)).toEqual([[]]);
  });

  it('names a place once, however often the query selects it', async () => {
    expect(await locate('$[0, 0, -1]', [7])).toEqual([[0]]);
  });

  it('holds texts against patterns as RFC 9485 writes them', async () => {
    const texts = ['ab', 'xabx', 'a\u2028b', 'a\nb', 'Ж'];
    expect(await locate("$[?match(@, 'a.?b')]", texts)).toEqual([[0], [2]]);
    expect(await locate("$[?search(@, 'ab|cd')]", texts)).toEqual([[0], [1]]);
    expect(await locate("$[?match(@, 'x|ab')]", texts)).toEqual([[0]]);
    expect(await locate(String.raw`$[?match(@, '\\p{Lu}')]`, texts)).toEqual([[4]]);
    expect(await locate("$[?search(@, '[.]')]", [...texts, '.'])).toEqual([[5]]);
    for (const none of ["'(?=a)'", "'(a'", '1', String.raw`'\\d'`])
      expect(await locate(`$[?search(@, ${none})]`, texts)).toEqual([]);
  });

  it('compiles no query with patterns where it was loaded for others', async () => {
    const paths = await loadJsonPaths(['$.a']);
    expect([paths.compile('$.a').ok, paths.compile("$[?search(@, 'a')]").ok]).toEqual([true, false]);
  });

  it('says what is wrong with a query', async () => {
    expect((await loadJsonPaths()).compile('$.[')).toMatchObject({ ok: false });
    expect((await loadJsonPaths()).compile('secret')).toMatchObject({ ok: false });
  });
});
