import { expect, it } from 'vitest';
import { RUN_REQUEST } from '../../../plugins/serve/src/mounts/runs/run-request.js';
import { buildValidator } from '../../../plugins/serve/src/server/validator.js';

const labels = (count: number): object => ({
  input: 'x',
  labels: Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n])),
});

function misfits(body: unknown): number {
  const validate = buildValidator({})({ schema: RUN_REQUEST, httpPart: 'body' });
  // What the compiler makes is called by Fastify as this.
  const judge = validate as unknown as { (body: unknown): boolean; errors?: readonly unknown[] };
  return judge(body) ? 0 : (judge.errors?.length ?? 0);
}

it('tells every misfit of a body', () => {
  expect(misfits({ input: 'x', labels: { a: 'b' } })).toBe(0);
  expect(misfits(labels(3))).toBe(3);
});

it('tells the first misfit of a body that could have a million of them', () => {
  expect(misfits(labels(200_000))).toBe(1);
});
