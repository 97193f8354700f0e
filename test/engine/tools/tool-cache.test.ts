import { expect, it } from 'vitest';
import { createToolCache } from '../../../src/engine/skills/tool-cache.js';

const answer = (text: string) => ({ output: text });
const put = (cache: ReturnType<typeof createToolCache>, server: string, digest: string, text: string): void =>
  cache.put(server, { digest, since: cache.mark(server), value: answer(text) });

it('keeps the newest answers within its bound, and none that alone is larger', () => {
  const cache = createToolCache(100);
  put(cache, 'a', 'one', 'x'.repeat(30));
  put(cache, 'b', 'two', 'y'.repeat(30));
  put(cache, 'a', 'three', 'z'.repeat(30));
  put(cache, 'a', 'huge', 'h'.repeat(200));

  expect([cache.get('a', 'one'), cache.get('a', 'huge')]).toEqual([null, null]);
  expect([cache.get('b', 'two'), cache.get('a', 'three')]).toEqual([answer('y'.repeat(30)), answer('z'.repeat(30))]);
});

it('counts an answer once that was asked for again, and none of a server that has changed', () => {
  const cache = createToolCache(100);
  for (let time = 0; time < 10; time += 1) put(cache, 'a', 'one', 'x'.repeat(30));
  put(cache, 'b', 'two', 'y'.repeat(30));
  expect([cache.get('a', 'one'), cache.get('b', 'two')]).toEqual([answer('x'.repeat(30)), answer('y'.repeat(30))]);

  cache.changed('a');
  put(cache, 'b', 'three', 'z'.repeat(30));

  expect([cache.get('a', 'one'), cache.get('b', 'two'), cache.get('b', 'three')]).toEqual([
    null,
    answer('y'.repeat(30)),
    answer('z'.repeat(30)),
  ]);
});
