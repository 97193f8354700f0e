import { describe, expect, it } from 'vitest';
import { asCount, asUsd } from '../../plugins/harness/src/interpret/fields.js';
import { answerOf } from '../../plugins/mcp/src/server/answer.js';
import type { Json } from '../../src/domain/json.js';
import type { ExecutorResult } from '../../src/domain/ports/executor.js';
import { isReportedCount, isReportedUsd } from '../../src/domain/reported-numbers.js';
import { readExecutorResult } from '../../src/engine/executor-result.js';
import { readModelResult } from '../../src/engine/model-result.js';
import { fine } from '../support/asked-world.js';

const NO_COUNT = [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e18, 1e308, '5', null, undefined];
const NO_USD = [-0.01, Number.NaN, Number.POSITIVE_INFINITY, 1e308, 1_000_001, '5', undefined];

describe('a number that a program outside tells', () => {
  it.each(NO_COUNT)('%s is not a count', (value) => expect(isReportedCount(value)).toBe(false));
  it.each(NO_USD)('%s is not a cost', (value) => expect(isReportedUsd(value)).toBe(false));
  it.each([0, 1, 200_000, 1e12])('%s is a count', (value) => expect(isReportedCount(value)).toBe(true));
  it.each([0, 0.000_001, 48.5, 1e6])('%s is a cost', (value) => expect(isReportedUsd(value)).toBe(true));
});

const USAGE = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0.1 };
const WRONG = [
  { ...USAGE, inputTokens: 1e18 },
  { ...USAGE, outputTokens: 1e308 },
  { ...USAGE, reasoningTokens: -1 },
  { ...USAGE, costUsd: 1e308 },
  { ...USAGE, costUsd: -1 },
];

it.each(WRONG)('of an executor makes its usage unknown: %j', (usage) => {
  const result = { status: 'success', reason: null, message: '', output: 'x', usage } as ExecutorResult;

  expect(readExecutorResult(result)).toMatchObject({ status: 'success', usage: null });
  expect(readExecutorResult({ ...result, usage: USAGE }).usage).toEqual(USAGE);
});

it.each(WRONG)('of a provider makes its answer malformed: %j', (usage) => {
  const response = fine.ok ? fine.response : null;

  expect(readModelResult({ ok: true, response: { ...response, usage } } as typeof fine)).toMatchObject({
    ok: false,
    failure: { kind: 'malformed' },
  });
});

it.each([
  [1e18, null],
  ['1e308', null],
  [-5, null],
  [-0.5, null],
  ['NaN', null],
  ['', null],
  [12.7, 12],
  ['12', 12],
] as readonly (readonly [Json, number | null])[])('of a line of a harness: %j is the count %s', (reported, count) => {
  expect(asCount(reported)).toBe(count);
});

it.each([
  [1e308, null],
  ['-1', null],
  ['0.5', 0.5],
  [0, 0],
] as readonly (readonly [Json, number | null])[])('of a line of a harness: %j is the cost %s', (reported, usd) => {
  expect(asUsd(reported)).toBe(usd);
});

it.each([
  [1e308, null],
  [-1, null],
  ['1', null],
  [0.02, 0.02],
])('of the answer of a tool: %j is the cost %s', (reported, usd) => {
  expect(answerOf({ content: [], _meta: { 'kit/cost_usd': reported } }).costUsd).toBe(usd);
});
