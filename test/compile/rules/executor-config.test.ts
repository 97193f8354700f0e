import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.js';
import { bundledExecutors, compileSources, errorsOf } from '../../support/compile.js';
import { archetype } from './artifact-text.js';

const ROBOT: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['arm'],
  properties: {
    arm: { type: 'object', additionalProperties: false, properties: { 'grip/force': { type: 'integer' } } },
  },
};

const PATH = 'archetypes/w.yaml';

/** Compiles an archetype with this executor block, beside the bundled executors and `robot`. */
const compiled = (executor: string, robot: JsonObject | null = ROBOT) =>
  compileSources({ [PATH]: archetype('w', '{}', executor) }, {}, new Map([...bundledExecutors(), ['robot', robot]]));

/** `+<lines below the block's first> <text at the span>: <message>` of every error. */
async function placed(executor: string, robot: JsonObject | null = ROBOT): Promise<readonly string[]> {
  const text = archetype('w', '{}', executor);
  const lineAt = (offset: number) => text.slice(text.indexOf('executor:'), offset).split('\n').length - 1;
  const { diagnostics } = await compiled(executor, robot);
  return diagnostics
    .filter((diagnostic) => diagnostic.severity === 'error')
    .map(({ span, message }) => `+${lineAt(span?.start ?? 0)} ${text.slice(span?.start, span?.end)}: ${message}`);
}

const HARNESS = 'executor:\n  kind: harness\n  ref: claude-code\n  config:\n';

test('a value of the wrong type is an error at its own line', async () => {
  const executor = `${HARNESS}    model: sonnet\n    link: node_modules\n`;

  const result = await compiled(executor);

  expect(result.workspace).toBeNull();
  expect(errorsOf(result)).toEqual([`archetype.executor-invalid ${PATH}#/executor/config/link`]);
  expect(await placed(executor)).toEqual([
    '+5 node_modules: `executor.config.link` does not fit the executor `harness`: must be array',
  ]);
});

test('an adapter as the kind is judged by the same schema', async () => {
  expect(errorsOf(await compiled('executor: { kind: claude-code, config: { link: node_modules } }\n'))).toEqual([
    `archetype.executor-invalid ${PATH}#/executor/config/link`,
  ]);
});

test('a key that the schema does not allow is an error at that key', async () => {
  const executor = 'executor:\n  kind: robot\n  config:\n    arm:\n      leg: 2\n    colour: red\n';

  expect(errorsOf(await compiled(executor))).toEqual([
    `archetype.executor-invalid ${PATH}#/executor/config/colour`,
    `archetype.executor-invalid ${PATH}#/executor/config/arm/leg`,
  ]);
  expect(await placed(executor)).toEqual([
    '+5 colour: `executor.config.colour` does not fit the executor `robot`: "colour" is not allowed here',
    '+4 leg: `executor.config.arm.leg` does not fit the executor `robot`: "leg" is not allowed here',
  ]);
});

test('an entry of a list and a key with a slash are found where they stand', async () => {
  expect(await placed(`${HARNESS}    link:\n      - node_modules\n      - 3\n`)).toEqual([
    '+6 3: `executor.config.link.1` does not fit the executor `harness`: must be string',
  ]);
  expect(await placed('executor:\n  kind: robot\n  config:\n    arm:\n      grip/force: firm\n')).toEqual([
    '+4 firm: `executor.config.arm.grip/force` does not fit the executor `robot`: must be integer',
  ]);
});

test('one place is reported once, with everything that is wrong there', async () => {
  expect(await placed(`${HARNESS}    budget:\n      max_turns: -1.5\n`)).toEqual([
    '+5 -1.5: `executor.config.budget.max_turns` does not fit the executor `harness`: must be integer; must be >= 1',
  ]);
});

test('what the schema requires is asked of an executor without a config block too', async () => {
  expect(await placed('executor:\n  kind: robot\n  config: {}\n')).toEqual([
    '+2 config: `executor.config` does not fit the executor `robot`: "arm" is missing',
  ]);
  expect(errorsOf(await compiled('executor: { kind: robot }\n'))).toEqual([
    `archetype.executor-invalid ${PATH}#/executor/config`,
  ]);
});

test('a schema that cannot be used refuses the block: nothing could judge it', async () => {
  const result = await compiled('executor: { kind: robot }\n', { type: 'nonsense' });

  expect(errorsOf(result)).toEqual([`archetype.executor-invalid ${PATH}#/executor`]);
  expect(result.diagnostics[0]?.message).toContain('the schema cannot be used');
});

test.each([
  [
    'a harness',
    `${HARNESS}    link: [node_modules]\n    budget: { max_turns: 2, max_cost_usd: 0 }\n    own_key: of the adapter\n`,
  ],
  ['a harness without a config block', 'executor: { kind: harness, ref: claude-code }\n'],
  ['the executor of a plugin', 'executor: { kind: robot, config: { arm: { grip/force: 3 } } }\n'],
  ['a model call', 'executor: { kind: model }\n'],
])('the configuration of %s that fits is not an error', async (_what, executor) => {
  expect(errorsOf(await compiled(executor))).toEqual([]);
});

test('an executor without a schema takes any configuration', async () => {
  expect(errorsOf(await compiled('executor: { kind: robot, config: { colour: red } }\n', null))).toEqual([]);
});
