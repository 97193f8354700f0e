import type { Json, JsonSchema } from '@kit-run/kit/plugin';
import { describe, expect, test } from 'vitest';
import { bad, callOptions, good, message, request, rulesProvider, textOf, tool, user } from './helpers.js';

const TESTS = {
  summary: { passed: 7, failed: 2 },
  command: 'npm test',
  duration_ms: 1234,
  status: 'failure',
  tests: [
    { name: 'adds', status: 'passed', ms: 3, file: 'a.test.ts' },
    { name: 'divides', status: 'failed', ms: 5, file: 'b.test.ts', error: { message: 'by zero' } },
  ],
};

interface ChildOutput {
  readonly output: Json;
  readonly isError?: boolean;
}

/** A conversation in which each child was called once and answered. */
function conversation(children: Readonly<Record<string, ChildOutput>>) {
  const entries = Object.entries(children);
  return [
    user('run the tests'),
    message(
      'assistant',
      ...entries.map(([child]) => ({
        type: 'tool_call' as const,
        id: child,
        name: `delegate_to_${child}`,
        input: { task: 'x' },
      })),
    ),
    message(
      'tool',
      ...entries.map(([child, { output, isError = false }]) => ({
        type: 'tool_result' as const,
        id: child,
        name: `delegate_to_${child}`,
        output,
        isError,
      })),
    ),
  ];
}

async function ask(
  outputSchema: JsonSchema | null,
  children: Readonly<Record<string, ChildOutput>> = { tests: { output: TESTS } },
) {
  return (await rulesProvider()).generate(request({ outputSchema, messages: conversation(children) }), callOptions());
}

async function fill(schema: JsonSchema, children?: Readonly<Record<string, ChildOutput>>): Promise<Json> {
  return JSON.parse(textOf(good(await ask(schema, children)))) as Json;
}

const reason = async (schema: JsonSchema, children?: Readonly<Record<string, ChildOutput>>) => {
  const failure = bad(await ask(schema, children));
  expect(failure.kind).toBe('unfilled');
  return failure.message;
};

const object = (properties: JsonSchema, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };
const integer = { type: 'integer' };

describe('delegation', () => {
  const tools = [tool('delegate_to_a'), tool('search'), tool('delegate_to_b')];

  test('each child is called once with the last user text; other tools are left alone', async () => {
    const response = good(await (await rulesProvider()).generate(request({ tools }), callOptions()));

    expect(response).toMatchObject({ finish: 'tool_calls', model: 'rules' });
    expect(response.parts).toEqual([
      { type: 'tool_call', id: 'call_0_a', name: 'delegate_to_a', input: { task: 'hello' } },
      { type: 'tool_call', id: 'call_0_b', name: 'delegate_to_b', input: { task: 'hello' } },
    ]);
  });

  test('a child that was called is not called again, even if its tool is still offered', async () => {
    const messages = conversation({ a: { output: { n: 1 } } });

    const response = good(await (await rulesProvider()).generate(request({ tools, messages }), callOptions()));

    expect(response.parts).toMatchObject([{ name: 'delegate_to_b', input: { task: 'run the tests' } }]);
  });

  test('it costs nothing', async () => {
    const provider = await rulesProvider();
    const { usage } = good(await ask(null));

    expect(usage).toEqual({ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0 });
    expect(provider.price('rules', usage)).toBe(0);
  });

  test('an aborted call is a timeout', async () => {
    expect(
      bad(await (await rulesProvider()).generate(request(), callOptions({ signal: AbortSignal.abort() }))).kind,
    ).toBe('timeout');
  });
});

describe('without an output schema', () => {
  test('the answer is the results by child, JSON text read as JSON', async () => {
    const response = good(await ask(null, { a: { output: '{"n": 1}' }, b: { output: 'plain words' } }));

    expect(JSON.parse(textOf(response))).toEqual({ results: { a: { n: 1 }, b: 'plain words' } });
  });

  test('a failed child is an object with the status failed, whatever it said', async () => {
    const children = {
      a: { output: 'all is well', isError: true },
      b: { output: { status: 'passed', n: 1 }, isError: true },
    };

    expect(JSON.parse(textOf(good(await ask(null, children))))).toEqual({
      results: { a: { status: 'failed', reason: 'all is well' }, b: { status: 'failed', n: 1 } },
    });
  });
});

describe('by name', () => {
  test('a property takes the value of the nearest property of its name, and says where it stood', async () => {
    const response = good(await ask(object({ command: text, failed: integer })));

    expect(JSON.parse(textOf(response))).toEqual({ command: 'npm test', failed: 2 });
    expect(response.annotations).toEqual({
      sources: { '/command': "$['tests']['command']", '/failed': "$['tests']['summary']['failed']" },
    });
  });

  test('a value of another type is not a match: the search goes on below it', async () => {
    expect(
      await fill(object({ failed: integer }), { tests: { output: { failed: 'two', summary: { failed: 2 } } } }),
    ).toEqual({ failed: 2 });
  });

  test('enum, bounds and pattern choose as well', async () => {
    const output = { a: { kind: 'x', n: 3, id: 'nope' }, deeper: { still: { kind: 'good', n: 30, id: 'ab12' } } };
    const schema = object({
      kind: { enum: ['good'] },
      n: { type: 'integer', minimum: 10 },
      id: { type: 'string', pattern: '^[a-f0-9]+$' },
    });

    expect(await fill(schema, { c: { output } })).toEqual({ kind: 'good', n: 30, id: 'ab12' });
  });

  test('an object of the same name is filled from itself alone', async () => {
    expect(await reason(object({ summary: object({ passed: integer, duration_ms: integer }) }))).toContain(
      '/summary/duration_ms',
    );
  });

  test('an object that no result has is a grouping of values that results have', async () => {
    expect(await fill(object({ numbers: object({ passed: integer, duration_ms: integer }) }))).toEqual({
      numbers: { passed: 7, duration_ms: 1234 },
    });
  });

  test('a list of objects is mapped member by member, optional gaps included', async () => {
    const items = object({ name: text, message: text }, ['name']);

    expect(await fill(object({ tests: { type: 'array', items } }))).toEqual({
      tests: [{ name: 'adds' }, { name: 'divides', message: 'by zero' }],
    });
  });

  test('a member of a list never borrows a value from outside it', async () => {
    expect(await reason(object({ tests: { type: 'array', items: object({ name: text, command: text }) } }))).toContain(
      '/tests/0/command',
    );
  });

  test('an open object is taken whole', async () => {
    expect(await fill(object({ summary: { type: 'object' } }))).toEqual({ summary: { passed: 7, failed: 2 } });
  });

  test('a property may be named like the child', async () => {
    expect(await fill(object({ tests: object({ command: text }) }))).toEqual({ tests: { command: 'npm test' } });
  });

  test('the same value at two places is one value, two values are a question', async () => {
    const schema = object({ n: integer });

    expect(await fill(schema, { a: { output: { n: 1 } }, b: { output: { n: 1 } } })).toEqual({ n: 1 });
    const message = await reason(schema, { a: { output: { n: 1 } }, b: { output: { n: 2 } } });
    expect(message).toContain("$['a']['n']");
    expect(message).toContain('x-from');
  });

  test('a name that every object has by birth is not found', async () => {
    expect(await reason(object({ constructor: {}, toString: {} }))).toContain('rules.unfilled: /constructor');
  });
});

describe('unfilled', () => {
  test('a required field that no result has fails with its pointer', async () => {
    expect(await reason(object({ coverage: { type: 'number' } }))).toBe(
      'rules.unfilled: /coverage: no child result has "coverage"',
    );
  });

  test('an optional field that no result has is left out', async () => {
    expect(await fill(object({ command: text, coverage: { type: 'number' } }, ['command']))).toEqual({
      command: 'npm test',
    });
  });

  test.each([
    { name: 'default', schema: { type: 'string', default: 'green' } },
    { name: 'const', schema: { const: 'green' } },
    { name: 'enum', schema: { enum: ['green'] } },
    { name: 'null', schema: { type: ['string', 'null'] } },
    { name: 'an empty list', schema: { type: 'array', items: { type: 'string' } } },
    { name: 'an empty object', schema: { type: 'object', properties: { a: { type: 'string' } } } },
  ])('the schema itself supplies nothing: $name', async ({ schema }) => {
    expect(await reason(object({ colour: schema }))).toContain('/colour');
  });

  test('a root that is not an object needs a hint', async () => {
    expect(await reason({ type: 'array', items: object({ name: text }) })).toContain('the answer');
  });

  test('a child that answered in prose supplies no field', async () => {
    expect(await reason(object({ failed: integer }), { tests: { output: 'failed: 0, all good' } })).toContain(
      '/failed',
    );
  });

  test('without any result nothing can be filled', async () => {
    expect(await reason(object({ failed: integer }), {})).toContain('/failed');
  });
});

describe('x-from', () => {
  test('a path wins over the name, and alternatives are tried in order', async () => {
    const schema = object({
      command: { ...text, 'x-from': '$.tests.tests[0].name' },
      took: { ...integer, 'x-from': ['$.nowhere', '$.tests.duration_ms'] },
    });

    expect(await fill(schema)).toEqual({ command: 'adds', took: 1234 });
  });

  test('a path that finds nothing is not replaced by a value of the same name', async () => {
    expect(await reason(object({ command: { ...text, 'x-from': '$.other.command' } }))).toContain('$.other.command');
  });

  test('a filter picks members, and @ is the member', async () => {
    const items = object({ test: { ...text, 'x-from': '@.name' }, why: { ...text, 'x-from': '@.error.message' } });
    const schema = object({ failures: { type: 'array', 'x-from': "$.tests.tests[?@.status == 'failed']", items } });
    const response = good(await ask(schema));

    expect(JSON.parse(textOf(response))).toEqual({ failures: [{ test: 'divides', why: 'by zero' }] });
    expect(response.annotations?.sources).toMatchObject({
      '/failures/0/why': "$['tests']['tests'][1]['error']['message']",
    });
  });

  test('a filter that picks nothing from a list that is there is an empty list', async () => {
    const schema = object({
      slow: { type: 'array', 'x-from': '$.tests.tests[?@.ms > 99]', items: object({ name: text }) },
    });

    expect(await fill(schema)).toEqual({ slow: [] });
  });

  test.each(['$.tests.nowhere[?@.ms > 99]', '$.nobody.tests[*]', '$.tests.tests[*].colour', '$..nothing'])(
    '%s picks from nothing: unfilled',
    async (query) => {
      expect(await reason(object({ slow: { type: 'array', 'x-from': query, items: {} } }))).toContain('/slow');
    },
  );

  test('lists of several children become one', async () => {
    const schema = object({ all: { type: 'array', 'x-from': '$.*.list', items: integer } });

    expect(await fill(schema, { a: { output: { list: [1, 2] } }, b: { output: { list: [3] } } })).toEqual({
      all: [1, 2, 3],
    });
  });

  test('two different values under one path are a question', async () => {
    expect(
      await reason(object({ n: { ...integer, 'x-from': '$.*.n' } }), {
        a: { output: { n: 1 } },
        b: { output: { n: 2 } },
      }),
    ).toContain('differ');
  });

  test.each(['$.a[', 'tests.command', 7, []])('%j is not a path: the schema is at fault', async (query) => {
    expect(bad(await ask(object({ n: { 'x-from': query as Json } }))).kind).toBe('bad_request');
  });
});

describe('x-count and x-sum', () => {
  test.each([
    ['$.tests.tests', 2],
    ['$.tests.tests[*]', 2],
    ["$.tests.tests[?@.status == 'failed']", 1],
    ["$.tests.tests[?@.status == 'skipped']", 0],
    ['$.tests.tests[*].error', 1],
  ])('%s counts %d', async (query, expected) => {
    const response = good(await ask(object({ n: { ...integer, 'x-count': query } })));

    expect(JSON.parse(textOf(response))).toEqual({ n: expected });
    expect(response.annotations).toEqual({ sources: { '/n': `count(${query})` } });
  });

  test('what is not there cannot be counted: it is not 0', async () => {
    expect(await reason(object({ n: { ...integer, 'x-count': '$.tests.skipped' } }))).toContain('/n');
    expect(await reason(object({ n: { ...integer, 'x-count': '$.lint.problems[*]' } }))).toContain('/n');
  });

  test('numbers are added up', async () => {
    expect(await fill(object({ ms: { ...integer, 'x-sum': '$.tests.tests[*].ms' } }))).toEqual({ ms: 8 });
  });

  test('a sum over something that is not a number is refused', async () => {
    expect(await reason(object({ ms: { ...integer, 'x-sum': ['$.tests.tests[*].name'] } }))).toContain(
      '2 of 2 values are not numbers',
    );
  });

  test('a count outside the bounds of its schema is refused', async () => {
    expect(await reason(object({ n: { ...integer, maximum: 1, 'x-count': '$.tests.tests' } }))).toContain(
      'does not fit',
    );
  });
});

describe('x-status', () => {
  const status = (hint: Json, extra: JsonSchema = text) => object({ s: { ...extra, 'x-status': hint } });
  const order = ['failed', 'failure', 'skipped', 'passed'];
  const mixed = { a: { output: { status: 'passed' } }, b: { output: { status: 'skipped' } } };

  test('the worst word of the declared order that occurs is the status', async () => {
    expect(await fill(status({ from: '$.*', order }), mixed)).toEqual({ s: 'skipped' });
    expect(await fill(status({ from: '$.tests.tests[*].status', order }))).toEqual({ s: 'failed' });
  });

  test('without an order agreement is a status, and difference is not', async () => {
    expect(
      await fill(status(true), { a: { output: { status: 'passed' } }, b: { output: { status: 'passed' } } }),
    ).toEqual({ s: 'passed' });
    expect(await reason(status(true), mixed)).toContain('`order`');
  });

  test('a word that the order does not know is refused', async () => {
    expect(await reason(status({ from: '$.*', order: ['passed'] }), mixed)).toContain('"skipped"');
  });

  test('a child without a status of its own has completed', async () => {
    expect(await fill(status(true), { a: { output: 'words' }, b: { output: { n: 1 } } })).toEqual({ s: 'completed' });
  });

  test.each([
    { hint: true, expected: 'failed' },
    { hint: { from: '$.*', order }, expected: 'failed' },
    { hint: { from: '$.*', order: ['red', 'completed', 'passed'] }, expected: 'red' },
    { hint: '$.b.inner.status', expected: 'failed' },
  ])('a failed child is never outvoted: %j', async ({ hint, expected }) => {
    const children = {
      a: { output: { status: 'passed' } },
      b: { output: { status: 'passed', inner: { status: 'passed' } }, isError: true },
    };

    expect(await fill(status(hint), children)).toEqual({ s: expected });
  });

  test('a status that the schema does not know is refused rather than bent', async () => {
    expect(await reason(status(true, { enum: ['passed'] }), { a: { output: 'x', isError: true } })).toContain(
      'does not fit',
    );
  });

  test('a truth value is true when all agree and no child failed', async () => {
    const boolean = { type: 'boolean' };

    expect(await fill(status(true, boolean), { a: { output: 'x' }, b: { output: 'y' } })).toEqual({ s: true });
    expect(await fill(status(true, boolean), { a: { output: 'x' }, b: { output: 'y', isError: true } })).toEqual({
      s: false,
    });
    expect(
      await fill(status('$.*.ok', boolean), { a: { output: { ok: true } }, b: { output: { ok: false } } }),
    ).toEqual({ s: false });
    expect(
      await fill(status('$.*.ok', boolean), {
        a: { output: { ok: true } },
        b: { output: { ok: true }, isError: true },
      }),
    ).toEqual({ s: false });
  });

  test('nothing to judge is not a status', async () => {
    expect(await reason(status(true), {})).toContain('/s');
  });
});

describe('schemas', () => {
  test('references and allOf are followed', async () => {
    const schema = {
      $defs: { count: { type: 'integer' }, base: object({ passed: { $ref: '#/$defs/count' } }) },
      allOf: [{ $ref: '#/$defs/base' }],
      ...object({ failed: { $ref: '#/$defs/count' } }),
    };

    expect(await fill(schema)).toEqual({ passed: 7, failed: 2 });
  });

  test('the first alternative that can be filled is taken, null only where it was found', async () => {
    const schema = object({
      passed: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      gone: { type: ['object', 'null'], properties: { x: text } },
    });

    expect(await fill(schema, { tests: { output: { ...TESTS, gone: null } } })).toEqual({ passed: 7, gone: null });
  });

  test('a schema that contains itself ends', async () => {
    expect(await reason({ type: 'object', properties: { again: { $ref: '#' } }, required: ['again'] })).toContain(
      'without end',
    );
  });
});
