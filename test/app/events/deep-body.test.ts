import { expect, it } from 'vitest';
import { correlationIdIn } from '../../../src/app/events/correlation-id.js';
import type { Json } from '../../../src/domain/json.js';

const nested = (depth: number): Json =>
  Array.from({ length: depth }).reduce<Json>((inner) => ({ b: inner }), { a: 'x' });

it.each(['$..a', '$..*..*..*..*..a'])('refuses in words a body too deep for %s', async (path) => {
  expect(await correlationIdIn(nested(150), path)).toEqual({
    ok: false,
    message: expect.stringContaining(`the body is nested too deep for ${path}`),
  });
});

it('finds what stands less deep', async () => {
  expect(await correlationIdIn(nested(40), '$..a')).toEqual({ ok: true, id: 'x' });
});
