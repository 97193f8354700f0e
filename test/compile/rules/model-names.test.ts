import { expect, test } from 'vitest';
import { KNOWN_MODELS } from '../../../src/compile/generated/models.js';
import { compileSources, WORKSPACE } from '../../support/compile.js';
import { archetype, provider, topology } from './artifact-text.js';

/** What is said of the model names in one model block: its help. */
async function hints(
  model: string,
  more: Readonly<Record<string, string>> = {},
): Promise<readonly (string | undefined)[]> {
  const { diagnostics } = await compileSources({
    'workspace.yaml': `${WORKSPACE}memory: { enabled: false }\n`,
    'topologies/t.yaml': topology('t', `model: ${model}`),
    ...more,
  });
  expect(diagnostics.filter(({ code }) => /^(yaml|schema)\./.test(code))).toEqual([]);
  return diagnostics
    .filter(({ code }) => code === 'provider.unknown-model')
    .map(({ help }) => /^did you mean `([^`]+)`/.exec(help ?? '')?.[1]);
}

test('no name that is known is doubted', async () => {
  const agents = Object.entries(KNOWN_MODELS).flatMap(([id, names]) =>
    names.split(' ').map((name) => `{ provider: ${id}, name: ${JSON.stringify(name)} }`),
  );
  const children = agents.map((model, at) => `{ id: a${at}, role: worker, model: ${model} }`);

  expect(agents.length).toBeGreaterThan(500);
  expect(await hints(`{ provider: mock }, children: [${children.join(', ')}]`)).toEqual([]);
});

test.each([
  ['anthropic', 'claude-sonet-4-5', 'claude-sonnet-4-5'],
  ['anthropic', 'claud-opus-5', 'claude-opus-5'],
  ['openai', 'gtp-4o-mini', 'gpt-4o-mini'],
  ['google', 'gemini-2.5-flahs', 'gemini-2.5-flash'],
])('%s: %s is likely %s', async (id, name, meant) => {
  expect(await hints(`{ provider: ${id}, name: ${name} }`)).toEqual([meant]);
});

test('a fallback and the model for tools are looked at as well', async () => {
  expect(
    await hints(
      '{ provider: anthropic, name: claude-opus-5, tool_model: claude-opsu-5, fallback: [{ provider: openai, name: gtp-4o }] }',
    ),
  ).toEqual(['claude-opus-5', 'gpt-4o']);
});

test.each([
  ['with numbers that nobody knows', '{ provider: anthropic, name: claude-sonnet-9-20301231 }'],
  ['like none that is known', '{ provider: openai, name: brand-new-thing }'],
  ['of a local server', '{ provider: ollama, name: qwen33 }'],
  ['of a provider that nobody defines', '{ provider: nobody, name: claude-sonet-4-5 }'],
])('nothing is said of a model %s', async (_, model) => {
  expect(await hints(model)).toEqual([]);
});

test('nor of one behind another address, or with a price of its own', async () => {
  const file = (spec: string) => ({ 'providers/mine.yaml': provider('mine', spec) });
  const model = '{ provider: mine, name: claude-sonet-4-5 }';

  expect(await hints(model, file('{ extends: anthropic }'))).toEqual(['claude-sonnet-4-5']);
  expect(await hints(model, file("{ extends: anthropic, base_url: 'https://proxy.example' }"))).toEqual([]);
  expect(
    await hints(model, file('{ extends: anthropic, prices: [{ model: claude-sonet-4-5, input: 1, output: 2 }] }')),
  ).toEqual([]);
});

test('one that an archetype names is shown there as well', async () => {
  const { diagnostics } = await compileSources({
    'workspace.yaml': `${WORKSPACE}memory: { enabled: false }\n`,
    'topologies/t.yaml': topology('t', 'archetype: writer'),
    'archetypes/writer.yaml': archetype('writer', '{ model: { provider: anthropic, name: claude-sonet-4-5 } }').replace(
      'role: worker',
      'role: root',
    ),
  });
  const found = diagnostics.find(({ code }) => code === 'provider.unknown-model');

  expect(found?.related).toMatchObject([
    { span: { path: 'archetypes/writer.yaml' }, message: 'its archetype names it here' },
  ]);
});
