import { expect, test } from 'vitest';
import { providerForModel, resolveProvider } from '../../../src/compile/link/providers.js';
import { topologyOf } from '../../../src/compile/link/topology-of.js';
import { compileSources, errorsOf, WORKSPACE, warningsOf } from '../../support/compile.js';
import { archetype, prompt, provider, skill, topology } from '../rules/artifact-text.js';

type Sources = Readonly<Record<string, string>>;

async function linked(sources: Sources) {
  const result = await compileSources(sources);
  expect(errorsOf(result)).toEqual([]);
  if (result.workspace === null) throw new Error('no workspace');
  return result.workspace;
}

const rootOf = async (sources: Sources) => {
  const root = topologyOf(await linked(sources), 't')?.root;
  if (root === undefined) throw new Error('no topology t');
  return root;
};

const PACK = `${WORKSPACE}command_packs:
  - id: git
    timeout_seconds: 5
    timeout_overrides: { push: 60 }
    commands:
      - { id: log, argv: [git, log, "{path}", "{path}"], effects: read, description: Shows history. }
      - { id: push, argv: [git, push], effects: destructive }
      - { id: add, argv: [git, add] }
`;

test('the agent overlays its archetype one level deep', async () => {
  const root = await rootOf({
    'topologies/t.yaml': topology(
      't',
      'archetype: w, model: { name: small, options: { b: 2 } }, prompt: { system: Mine. }, iam: { base_scope: [b:r] }',
    ),
    'archetypes/w.yaml': archetype(
      'w',
      '{ model: { provider: mock, name: big, temperature: 1, options: { a: 1 } }, prompt: { persona: Kind., system: Theirs. }, iam: { base_scope: [a:r], elevated_scopes: [a:w] } }',
    ),
  });

  expect(root.model).toEqual({
    provider: 'mock',
    name: 'small',
    temperature: 1,
    maxTokens: null,
    toolProvider: null,
    toolModel: null,
    options: { b: 2 },
  });
  expect(root.systemPrompt).toBe('Kind.\n\nMine.');
  expect([root.baseScope, root.elevatedScopes]).toEqual([['b:r'], ['a:w']]);
});

test.each([
  ['archetype: w', ['a', 'b']],
  ['archetype: w, skills: []', []],
  ['archetype: w, skills: [c]', ['c']],
  ['archetype: w, skills_additional: [c, a]', ['a', 'b', 'c']],
])('an agent with %s holds %j', async (agent, expected) => {
  const root = await rootOf({
    'topologies/t.yaml': topology('t', agent),
    'archetypes/w.yaml': archetype('w', '{ skills: [a, b] }'),
    'skills/a.yaml': prompt('a'),
    'skills/b.yaml': prompt('b'),
    'skills/c.yaml': prompt('c'),
  });

  expect(root.skills).toEqual(expected);
});

test('an abstract entry binds the one skill that fits', async () => {
  const root = await rootOf({
    'topologies/t.yaml': topology('t', 'archetype: w'),
    'archetypes/w.yaml': archetype('w', '{ skills: [{ abstract: { category: capability, capability: read } }] }'),
    'skills/a.yaml': prompt('repo-read'),
    'skills/b.yaml': prompt('write'),
  });

  expect(root.skills).toEqual(['repo-read']);
});

test('a command of a pack is a skill whose inputs are its placeholders', async () => {
  const workspace = await linked({ 'workspace.yaml': PACK });

  expect(workspace.skills.get('git-log')).toMatchObject({
    description: 'Shows history.',
    effects: 'read',
    onInDoubt: 'repeat',
    inputs: {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      additionalProperties: false,
    },
    implementation: {
      type: 'command',
      pack: 'git',
      command: { argv: ['git', 'log', '{path}', '{path}'], timeoutMs: 5000, permission: 'cautious', cwd: '' },
    },
  });
  expect(workspace.skills.get('git-push')).toMatchObject({
    effects: 'destructive',
    onInDoubt: 'ask',
    implementation: { command: { timeoutMs: 60_000 } },
  });
  expect(workspace.skills.get('git-add')).toMatchObject({ effects: 'write', onInDoubt: 'repeat' });
});

test('a skill may leave its failures to a person', async () => {
  const called = '{ type: command, pack: git, command: log }';
  const workspace = await linked({
    'workspace.yaml': PACK,
    'skills/a.yaml': `${skill('a', called)}constraints: { on_failure: escalate_to_human }\n`,
    'skills/b.yaml': `${skill('b', called)}constraints: { on_failure: fail }\n`,
    'skills/c.yaml': skill('c', called),
  });

  expect(['a', 'b', 'c'].map((id) => workspace.skills.get(id)?.onFailure)).toEqual([
    'escalate_to_human',
    undefined,
    undefined,
  ]);
});

test('a pack grants its commands that read, the others are named one by one', async () => {
  const root = await rootOf({
    'workspace.yaml': PACK,
    'topologies/t.yaml': topology('t', 'archetype: w, skills_additional: [git-add]'),
    'archetypes/w.yaml': archetype('w', "{ skills: ['pack:git'] }"),
  });

  expect(root.skills).toEqual(['git-log', 'git-add']);
});

test('a server grants every skill that calls it', async () => {
  const root = await rootOf({
    'workspace.yaml': `${WORKSPACE}mcp_servers: [{ id: files, transport: stdio, command: [x], effects: { drop: destructive } }]\n`,
    'topologies/t.yaml': topology('t', 'archetype: w'),
    'archetypes/w.yaml': archetype('w', '{}', "skills: ['server:files']\n"),
    'skills/a.yaml': skill('a', '{ type: mcp_tool, server: files, tool: read }'),
    'skills/b.yaml': skill('b', '{ type: mcp_tool, server: files, tool: drop }'),
    'skills/c.yaml': prompt('c'),
  });

  expect(root.skills).toEqual(['a', 'b']);
});

test('the workspace as a pack grants every other topology as a skill', async () => {
  const workspace = await linked({
    'topologies/t.yaml': topology('t', 'archetype: w'),
    'topologies/u.yaml': topology('u', 'children: []'),
    'archetypes/w.yaml': archetype('w', "{ skills: ['pack:workspace'] }"),
  });

  expect(topologyOf(workspace, 't')?.root.skills).toEqual(['topology-u']);
  expect(workspace.skills.get('topology-u')?.implementation).toEqual({
    type: 'agent',
    topology: 'u',
    cardUrl: null,
    skillId: null,
    credentialsRef: null,
    permission: 'cautious',
    timeoutMs: 600_000,
  });
});

test('a bare name is the highest version', async () => {
  const version = (text: string) => topology('t', 'children: []').replace('1.0.0', text);
  const workspace = await linked({
    'topologies/a.yaml': version('1.9.0'),
    'topologies/b.yaml': version('1.10.0'),
    'topologies/c.yaml': version('1.2.0'),
  });

  expect(topologyOf(workspace, 't')?.version).toBe('1.10.0');
  expect(topologyOf(workspace, 't@1.2.0')?.version).toBe('1.2.0');
  expect(topologyOf(workspace, 't@3.0.0')).toBeNull();
});

const SCHEMA = '{ type: object }';
test.each([
  ['nothing', 'archetype: bare', null],
  ["the archetype's", 'archetype: w', { type: 'object' }],
  ['none, said with null', 'archetype: w, output_schema: null', null],
  ['its own, from a file', 'archetype: w, output_schema: ../schemas/own.json', { type: 'string' }],
])('an agent has %s as output schema', async (_, agent, expected) => {
  const root = await rootOf({
    'topologies/t.yaml': topology('t', agent),
    'archetypes/w.yaml': archetype('w', `{ output_schema: ${SCHEMA} }`),
    'archetypes/bare.yaml': archetype('bare', '{}'),
    'schemas/own.json': '{"type":"string"}',
  });

  expect(root.outputSchema).toEqual(expected);
});

test("the topology's output schema is the root's alone", async () => {
  const root = await rootOf({
    'topologies/t.yaml': topology('t', 'children: [{ id: a, role: worker }]', `output_schema: ${SCHEMA}\n`),
  });

  expect([root.outputSchema, root.children[0]?.outputSchema]).toEqual([{ type: 'object' }, null]);
});

test.each([
  ['capability', 'summary', 'summary'],
  ['persistence', 'summary', 'none'],
])('a %s skill logs inputs %s and outputs %s', async (category, inputs, outputs) => {
  const workspace = await linked({ 'skills/s.yaml': skill('s', '{ type: llm_prompt, prompt: x }', '', category) });

  expect(workspace.skills.get('s')?.audit).toEqual({ logInputs: inputs, logOutputs: outputs, redact: [] });
});

test('what a skill writes of its audit beats the default of its category', async () => {
  const workspace = await linked({
    'skills/s.yaml': skill(
      's',
      '{ type: llm_prompt, prompt: x }',
      'audit: { log_inputs: full, log_outputs: none, redact: [$.a] }\n',
    ),
  });

  expect(workspace.skills.get('s')?.audit).toEqual({ logInputs: 'full', logOutputs: 'none', redact: ['$.a'] });
});

test.each([
  ['', '', 'detailed'],
  ['audit: { level: standard }', '', 'standard'],
  ['', 'artifacts: { audit: { level: minimal } }', 'minimal'],
  ['audit: { level: minimal }', 'artifacts: { audit: { level: detailed } }', 'detailed'],
])('the level of the audit of a topology: %s and %s mean %s', async (ofWorkspace, ofTopology, level) => {
  const workspace = await linked({
    'workspace.yaml': `${WORKSPACE}${ofWorkspace}\n`,
    'topologies/t.yaml': topology('t', 'children: []', `${ofTopology}\n`),
  });

  expect(workspace.topologies.get('t@1.0.0')?.auditLevel).toBe(level);
});

test('settings have the defaults of the interface', async () => {
  const workspace = await linked({});

  expect(workspace).toMatchObject({
    limits: { maxStepsPerAgent: null, maxStepsPerRun: 500, maxCostPerRunUsd: null },
    governance: { provider: 'mock', requireIdentifiedAuthor: false, requireGates: false },
    auditLevel: 'detailed',
    memory: { enabled: true },
    journalDays: 7,
    jobTimeoutMs: 300_000,
    maxConcurrent: 5,
  });
  expect(workspace.humanScopes.has('approvals:resolve')).toBe(true);
});

test('what goes into a snapshot is plain JSON', async () => {
  const workspace = await linked({
    'workspace.yaml': PACK,
    'topologies/t.yaml': topology('t', 'skills: [git-log], children: [{ id: a, role: worker }]'),
  });

  const root = topologyOf(workspace, 't')?.root;
  expect(JSON.parse(JSON.stringify(root))).toEqual(root);
  expect(JSON.parse(JSON.stringify([...workspace.skills.values()]))).toEqual([...workspace.skills.values()]);
});

test('an archetype names its harness, and the older spelling means the same', async () => {
  const executor = async (block: string) =>
    (
      await rootOf({
        'topologies/t.yaml': topology('t', 'archetype: w'),
        'archetypes/w.yaml': archetype('w', '{}', `executor: ${block}\n`),
      })
    ).executor;

  expect(await executor('{ kind: harness, ref: claude-code, config: { model: x } }')).toEqual({
    kind: 'harness',
    ref: 'claude-code',
    config: { model: 'x' },
    onInDoubt: 'ask',
  });
  expect(await executor('{ kind: claude-code }')).toEqual({
    kind: 'harness',
    ref: 'claude-code',
    config: {},
    onInDoubt: 'ask',
  });
});

test('an adapter of the workspace replaces the bundled one of its id', async () => {
  const own =
    'apiVersion: kit/v1\nkind: ExecutorAdapter\nmetadata: { id: codex, name: Own, description: My own codex. }\nspec: { launch: { command: [mine] }, stream: { format: jsonl }, event_map: [{ emit: [{ event: result }] }] }\nprovenance: { authored_by: human, version: 1.0.0 }\n';
  const workspace = await linked({ 'adapters/codex.yaml': own });

  expect(workspace.adapters.get('codex')?.path).toBe('adapters/codex.yaml');
  expect(workspace.adapters.get('claude-code')?.path).toBe('bundled:claude-code.yaml');
});

test('a chain of providers ends at its family, and keeps references', async () => {
  const workspace = await linked({
    'providers/a.yaml': provider('a', '{ extends: b, headers: { X: "1" }, models: { pattern: "^own-" } }'),
    'providers/b.yaml': provider(
      'b',
      '{ extends: openai-compatible, base_url: "http://${HOST:-localhost}/v1", auth: { api_key_env: OWN_KEY }, headers: { Y: "2" } }',
    ),
  });
  const { providers } = workspace;

  expect(resolveProvider(providers, 'a')).toMatchObject({
    family: 'openai-compatible',
    baseUrl: 'http://${HOST:-localhost}/v1',
    apiKeyEnv: 'OWN_KEY',
    headers: { X: '1', Y: '2' },
  });
  expect(providerForModel(providers, 'own-7')?.id).toBe('a');
  expect(providerForModel(providers, 'claude-x')?.id).toBe('anthropic');
  expect(providerForModel(providers, 'unheard-of')).toBeNull();
});

test('a model name selects the first provider that fits and is registered, by the pattern of its family where it has none', async () => {
  const { providers } = await linked({
    'providers/a.yaml': provider(
      'a',
      '{ extends: openai-compatible, base_url: "http://localhost:1/v1", auth: { api_key_env: OWN_KEY } }',
    ),
  });
  const chosen = (model: string, keys: readonly string[]) =>
    providerForModel(providers, model, ({ apiKeyEnv }) => apiKeyEnv === null || keys.includes(apiKeyEnv))?.id ?? null;

  expect(chosen('gpt-9', ['OWN_KEY', 'OPENAI_API_KEY'])).toBe('a');
  expect(chosen('gpt-9', ['OPENAI_API_KEY'])).toBe('openai');
  expect(chosen('gpt-9', ['OPENROUTER_API_KEY'])).toBeNull();
});

test('one mistake is one diagnostic', async () => {
  const result = await compileSources({
    'skills/panel.yaml': skill('panel', '{ type: composed, composes: [none] }'),
    'archetypes/w.yaml': archetype('w', '{ skills: [panel] }'),
    'topologies/t.yaml': topology(
      't',
      'archetype: w, requires: { panel: [panel-two] }, children: [{ id: a, role: worker, archetype: w }]',
    ),
    'skills/two.yaml': prompt('panel-two'),
  });

  expect(errorsOf(result)).toEqual([
    'skill.composed-unknown skills/panel.yaml#/implementation/composes/0',
    'agent.requires-unknown-skill topologies/t.yaml#/agents/root/requires',
  ]);
  expect(warningsOf(result)).toEqual([]);
});
