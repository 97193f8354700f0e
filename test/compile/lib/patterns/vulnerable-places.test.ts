import * as jsonPath from 'json-p3';
import { expect, it } from 'vitest';
import { createRules } from '../../../../plugins/models/src/rules/provider.js';
import { correlationIdIn } from '../../../../src/app/events/correlation-id.js';
import { checkInput } from '../../../../src/app/submit/check-input.js';
import type { Json, JsonSchema } from '../../../../src/domain/json.js';
import { loadJsonSchemas } from '../../../../src/lib/json-schema.js';
import { loadJsonPaths } from '../../../../src/lib/jsonpath.js';
import { HOSTILE, HOSTILE_SCHEMA, HOSTILE_VALUE, MEETINGS, VULNERABLE } from '../../../support/patterns/vulnerable.js';

const QUERIES = HOSTILE.map(([pattern, texts]) => ({
  query: `$[?search(@, ${JSON.stringify(pattern)}) || match(@, ${JSON.stringify(pattern)})]`,
  texts,
}));

/** What the provider `rules` answers from one child, whose answer is `result`. */
const answerOf = (outputSchema: JsonSchema, result: Json) =>
  createRules(jsonPath).generate(
    {
      model: 'rules',
      messages: [
        {
          role: 'tool',
          parts: [{ type: 'tool_result', id: '1', name: 'delegate_to_child', output: result, isError: false }],
        },
      ],
      tools: [],
      outputSchema,
      temperature: null,
      maxTokens: null,
      options: {},
    },
    { signal: new AbortController().signal, stepId: 'step' },
  );

it('there are 200 different patterns, each with three texts', () => {
  expect([new Set(VULNERABLE).size, MEETINGS, HOSTILE.flatMap(([, texts]) => texts).length]).toEqual([200, 600, 600]);
  expect(Object.values(HOSTILE_VALUE).flat()).toHaveLength(600);
});

it('comes to an end where a client sends an input', async () => {
  const schemas = await loadJsonSchemas();
  expect(await checkInput(HOSTILE_SCHEMA, HOSTILE_VALUE as Json, async () => schemas)).toMatchObject({ ok: false });
});

it('comes to an end where a path filters what is redacted', async () => {
  const paths = await loadJsonPaths();
  let met = 0;
  for (const { query, texts } of QUERIES) {
    const compiled = paths.compile(query);
    if (compiled.ok) compiled.path.locate(texts);
    expect([query, compiled.ok]).toEqual([query, true]);
    met += texts.length;
  }
  expect(met).toBe(600);
});

it('comes to an end where a path looks for the correlation id of a delivery', async () => {
  let met = 0;
  for (const { query, texts } of QUERIES) {
    await correlationIdIn(texts, query);
    met += texts.length;
  }
  expect(met).toBe(600);
});

it('comes to an end where an answer is made of what children said, by a hint and by a pattern', async () => {
  let met = 0;
  for (const [index, [pattern, texts]] of HOSTILE.entries()) {
    const hint = { type: 'string', pattern, 'x-from': QUERIES[index]?.query.replace('$[', '$.child[') ?? '' };
    const answer = await answerOf({ type: 'object', required: ['a'], properties: { a: hint } }, [...texts]);
    expect(answer.ok === true || answer.failure.kind === 'unfilled' || answer.failure).toBe(true);
    met += texts.length;
  }
  expect(met).toBe(600);
});
