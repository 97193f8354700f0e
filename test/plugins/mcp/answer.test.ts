import { expect, it } from 'vitest';
import { answerOf } from '../../../plugins/mcp/src/server/answer.js';

const said = (meta: Record<string, unknown> | undefined) =>
  answerOf({ content: [{ type: 'text', text: 'x' }], ...(meta === undefined ? {} : { _meta: meta }) });

it.each([
  { meta: undefined, costUsd: undefined },
  { meta: { other: 1 }, costUsd: undefined },
  { meta: { 'kit/cost_usd': 0 }, costUsd: 0 },
  { meta: { 'kit/cost_usd': 0.02 }, costUsd: 0.02 },
  { meta: { 'kit/cost_usd': -1 }, costUsd: null },
  { meta: { 'kit/cost_usd': '0.02' }, costUsd: null },
  { meta: { 'kit/cost_usd': Number.POSITIVE_INFINITY }, costUsd: null },
  { meta: { 'kit/cost_usd': null }, costUsd: null },
])('an answer with $meta cost $costUsd', ({ meta, costUsd }) => {
  expect(said(meta).costUsd).toBe(costUsd);
});
