import { expect, test } from 'vitest';
import { compileSources, errorsOf, WORKSPACE, warningsOf } from '../../support/compile.js';

const judge = async (entry: string) => {
  const result = await compileSources(
    { 'workspace.yaml': `${WORKSPACE}memory: { enabled: false }\nmodel_providers: [${entry}]\n` },
    { URL: 'https://example.org' },
  );
  return [...errorsOf(result), ...warningsOf(result)];
};

test.each([
  ['a family, with its own address', '{ class: anthropic, provider_id: p }'],
  ['the id of a contribution', '{ class: kit.anthropic, provider_id: p, config: { api_key_env: OWN_KEY } }'],
  ['a contribution without a schema', '{ class: mock, provider_id: p, config: { anything: 1 } }'],
  [
    'an address that is known only at the call',
    '{ class: openai-compatible, provider_id: p, config: { base_url: "${URL}/v1" } }',
  ],
])('%s is a class', async (_, entry) => {
  expect(await judge(entry)).toEqual([]);
});

test.each([
  [
    'a key of no meaning',
    '{ class: anthropic, provider_id: p, config: { api_key: sk-1 } }',
    '/model_providers/0/config',
  ],
  [
    'a literal where a name is due',
    '{ class: anthropic, provider_id: p, config: { api_key_env: sk-literal } }',
    '/model_providers/0/config/api_key_env',
  ],
])('%s does not fit the configuration', async (_, entry, pointer) => {
  expect(await judge(entry)).toEqual([`provider.config-invalid workspace.yaml#${pointer}`]);
});
