import { expect, test } from 'vitest';
import { compileSources, errorsOf, WORKSPACE, warningsOf } from '../../support/compile.js';
import { topology } from '../rules/artifact-text.js';

const compile = (yaml: string, environment: Readonly<Record<string, string>> = {}) =>
  compileSources({ 'workspace.yaml': `${WORKSPACE}${yaml}\n` }, environment);
const configOf = async (yaml: string, environment: Readonly<Record<string, string>>) => {
  const result = await compile(yaml, environment);
  expect(errorsOf(result)).toEqual([]);
  return result.workspace?.config.value;
};

test.each([
  ['a whole number', 'server: { port: "${PORT}" }', { PORT: '18714' }, { server: { port: 18_714 } }],
  ['a default', 'server: { port: "${PORT:-18714}" }', {}, { server: { port: 18_714 } }],
  ['a plain scalar', 'server:\n  port: ${PORT:-1}', {}, { server: { port: 1 } }],
  [
    'an amount',
    'governance: { provider: mock, limits: { max_cost_per_run_usd: "${USD}" } }',
    { USD: '0.25' },
    { governance: { limits: { max_cost_per_run_usd: 0.25 } } },
  ],
  ['true', 'gates: { auto_resume: "${AUTO}" }', { AUTO: 'true' }, { gates: { auto_resume: true } }],
  ['false', 'gates: { auto_resume: "${AUTO:-false}" }', {}, { gates: { auto_resume: false } }],
])('a reference becomes %s where the schema asks for it', async (_what, yaml, environment, value) => {
  expect(await configOf(yaml, environment)).toMatchObject(value);
});

test.each([
  ['PORT', '08'],
  ['PORT', '1.5'],
  ['PORT', ' 80'],
  ['PORT', '0x50'],
  ['PORT', ''],
  ['PORT', '9007199254740993'],
  ['PORT', 'true'],
])('%s=%j is not a whole number', async (name, text) => {
  expect(errorsOf(await compile('server: { port: "${PORT}" }', { [name]: text }))).toEqual([
    'schema.type-mismatch workspace.yaml#/server/port',
  ]);
});

test.each(['yes', 'True', '1', 'TRUE'])('%j is neither true nor false', async (text) => {
  expect(errorsOf(await compile('gates: { auto_resume: "${AUTO}" }', { AUTO: text }))).toEqual([
    'schema.type-mismatch workspace.yaml#/gates/auto_resume',
  ]);
});

test('a number has to fit its bounds like one that is written', async () => {
  expect(errorsOf(await compile('server: { port: "${PORT}" }', { PORT: '70000' }))).toEqual([
    'schema.range workspace.yaml#/server/port',
  ]);
});

test('a text stays one where the schema takes texts, whatever it looks like', async () => {
  const sources = { 'topologies/t.yaml': topology('t', 'model: { provider: mock, name: "${NAME}" }') };
  const { workspace } = await compileSources(sources, { NAME: '4' });

  expect(workspace?.topologies.get('t@1.0.0')?.root.model.name).toBe('4');
});

test.each([
  [
    'a variable of another type',
    '"${PORT:-many}"',
    { help: 'what `${PORT:-many}` stands for must be a whole number', message: /a whole number, found a string/ },
  ],
  [
    'a reference beside other text',
    '"80${PORT:-80}"',
    { help: 'write the reference alone, without other text beside it', message: /a whole number/ },
  ],
  ['a quoted number', '"80"', { help: 'remove the quotes', message: /a whole number/ }],
])('the help for %s names the way out', async (_what, port, { help, message }) => {
  const { diagnostics } = await compile(`server: { port: ${port} }`);

  expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
    { code: 'schema.type-mismatch', help, message: expect.stringMatching(message) },
  ]);
});

test('a variable that nothing defines is named beside the type', async () => {
  const result = await compile('server: { port: "${PORT}" }');

  expect(warningsOf(result)).toEqual(['interpolation.unresolved workspace.yaml#/server/port']);
  expect(errorsOf(result)).toEqual(['schema.type-mismatch workspace.yaml#/server/port']);
});
