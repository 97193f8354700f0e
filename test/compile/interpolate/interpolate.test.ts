import { expect, test } from 'vitest';
import { interpolateText } from '../../../src/lib/interpolate-text.js';
import { compileSources, errorsOf, WORKSPACE, warningsOf } from '../../support/compile.js';
import { prompt, skill, topology } from '../rules/artifact-text.js';

const names: Readonly<Record<string, string>> = { HOST: 'example.org', EMPTY: '', NESTED: '${HOST}' };
const expand = (text: string) => interpolateText(text, (name) => names[name]);

test.each([
  ['http://${HOST}/', 'http://example.org/'],
  ['${MISSING:-localhost}', 'localhost'],
  ['${EMPTY:-localhost}', 'localhost'],
  ['${EMPTY}', ''],
  ['$${HOST}', '${HOST}'],
  ['${NESTED}', '${HOST}'],
  ['${MISSING:-}', ''],
  ['${MISSING}', '${MISSING}'],
  ['$HOST and $', '$HOST and $'],
])('%s becomes %s', (text, expected) => {
  expect(expand(text).text).toBe(expected);
});

test('tells what nothing defines', () => {
  expect(expand('${MISSING} ${HOST} ${OTHER:-x}').unresolved).toEqual(['MISSING']);
});

const agent = (provider: string) => ({
  'topologies/t.yaml': topology('t', `model: { provider: "${provider}", name: x }`),
});

async function providerOf(sources: Readonly<Record<string, string>>, environment: Readonly<Record<string, string>>) {
  const { workspace } = await compileSources(sources, environment);
  return workspace?.topologies.get('t@1.0.0')?.root.model.provider;
}

test('the property file comes before the environment, and the environment before the default', async () => {
  const properties = { 'workspace.env.yaml': 'models: { main: "mo${TAIL}" }\n' };

  expect(
    await providerOf({ ...agent('${models.main:-rules}'), ...properties }, { TAIL: 'ck', 'models.main': 'openai' }),
  ).toBe('mock');
  expect(await providerOf(agent('${PROVIDER:-rules}'), { PROVIDER: 'mock' })).toBe('mock');
  expect(await providerOf(agent('${PROVIDER:-rules}'), {})).toBe('rules');
});

test('the schema judges the real value', async () => {
  const source = `${WORKSPACE}mcp_servers: [{ id: a, transport: stdio, command: [x], permission: "\${TIER}" }]\n`;

  expect(errorsOf(await compileSources({ 'workspace.yaml': source }, { TIER: 'strict' }))).toEqual([]);
  expect(errorsOf(await compileSources({ 'workspace.yaml': source }, { TIER: 'lax' }))).toEqual([
    'schema.enum-mismatch workspace.yaml#/mcp_servers/0/permission',
  ]);
});

test('a linked workspace keeps the reference wherever a secret could come in', async () => {
  const workspaceText = `${WORKSPACE}credentials: { token: { source: env, config: { env: "\${NAME_OF_TOKEN}" } } }
command_packs: [{ id: p, env: { HEADER: "Bearer \${TOKEN}" }, commands: [{ id: c, argv: [echo, "\${WORD}"] }] }]
`;
  const { workspace, references } = await compileSources(
    { 'workspace.yaml': workspaceText },
    { NAME_OF_TOKEN: 'THE_TOKEN', TOKEN: 'secret-value', WORD: 'hello' },
  );

  const command = workspace?.skills.get('p-c')?.implementation;
  expect(command).toMatchObject({ command: { env: { HEADER: 'Bearer ${TOKEN}' }, argv: ['echo', 'hello'] } });
  expect(workspace?.credentials.get('token')?.config).toEqual({ env: '${NAME_OF_TOKEN}' });
  expect(JSON.stringify([...(workspace?.skills.values() ?? [])])).not.toContain('secret-value');
  expect(JSON.stringify(workspace?.config.value)).not.toContain('secret-value');
  expect(references.resolve('Bearer ${TOKEN}').text).toBe('Bearer secret-value');
});

test('raw is what the author wrote', async () => {
  const { workspace } = await compileSources(
    { 'workspace.yaml': WORKSPACE.replace('name: W', 'name: "${NAME}"') },
    { NAME: 'Real' },
  );

  expect(workspace?.name).toBe('Real');
  expect(workspace?.config.raw.metadata.name).toBe('${NAME}');
});

test('braces of prose and shell are left alone', async () => {
  const result = await compileSources(
    { 'skills/s.yaml': skill('s', "{ type: llm_prompt, prompt: 'Use ${file%.*} and $${HOME}.' }") },
    { HOME: '/root' },
  );

  expect(warningsOf(result)).toEqual([]);
  expect(result.workspace?.skills.get('s')?.implementation).toMatchObject({ prompt: 'Use ${file%.*} and ${HOME}.' });
});

test('a broken property file is an error, an empty one is not', async () => {
  expect(errorsOf(await compileSources({ 'workspace.env.yaml': 'a: [\n', 'skills/s.yaml': prompt('s') }))[0]).toMatch(
    /^interpolation\.bad-properties/,
  );
  expect(errorsOf(await compileSources({ 'workspace.env.yaml': '# nothing yet\n' }))).toEqual([]);
});

test('no diagnostic repeats the value of a secret', async () => {
  const result = await compileSources(
    { 'topologies/t.yaml': topology('t', 'archetype: "${API_KEY}"') },
    { API_KEY: 'sekretvalue' },
  );

  expect(result.diagnostics.length).toBeGreaterThan(0);
  expect(JSON.stringify(result.diagnostics)).not.toContain('sekretvalue');
});
