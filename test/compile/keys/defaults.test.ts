import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { DEFAULTS } from '../../../src/domain/generated/defaults.js';
import { compileSources, errorsOf } from '../../support/compile.js';

type Block = keyof typeof DEFAULTS;
type Keys = readonly (string | number)[];

/** Where a block stands in the files below, and what has to stand beside its keys. */
interface Place {
  readonly file: keyof typeof FILES;
  readonly at: Keys;
  readonly beside?: object;
}

const about = (id: string) => ({ metadata: { id, name: id, description: `The artifact ${id}.` } });
const provenance = { provenance: { authored_by: 'human', version: '1.0.0' } };
const skill = (id: string, category: string, implementation: object) => ({
  apiVersion: 'kit/v1',
  kind: 'Skill',
  ...about(id),
  category,
  implementation,
  ...provenance,
});

const topology = (version: string) => ({
  apiVersion: 'kit/v1',
  kind: 'Topology',
  metadata: { name: 't', version },
  intent_monitoring: { enabled: true },
  agents: { root: { id: 'root', role: 'root', funnel: 'f', model: { provider: 'mock', name: 'm' } } },
});

/** A workspace in which every block that is linked can stand. */
const FILES = {
  'workspace.yaml': {
    apiVersion: 'kit/v1',
    kind: 'Workspace',
    metadata: { id: 'w', name: 'W' },
    governance: { provider: 'mock', decision_skills: [{ id: 'decide', trigger: 'post_output' }] },
    mcp_servers: [{ id: 'files', transport: 'stdio', command: ['serve'] }],
    command_packs: [{ id: 'git', commands: [{ id: 'log', argv: ['git', 'log'] }] }],
    server: {
      canary: {
        routes: [
          {
            topology: 't',
            versions: [
              { version: '1.0.0', weight: 50, promote_when: {} },
              { version: '2.0.0', weight: 50 },
            ],
          },
        ],
      },
    },
  },
  'topologies/t.yaml': topology('1.0.0'),
  'topologies/newer.yaml': topology('2.0.0'),
  'archetypes/reviewer.yaml': {
    apiVersion: 'kit/v1',
    kind: 'Archetype',
    ...about('reviewer'),
    role: 'worker',
    defaults: {},
    executor: { kind: 'harness', ref: 'claude-code' },
    ...provenance,
  },
  'skills/decide.yaml': {
    ...skill('decide', 'decision', { type: 'llm_prompt', prompt: 'Judge.' }),
    outputs: { type: 'object', properties: { reasoning: { type: 'string' } } },
    constraints: { on_failure: 'retry' },
  },
  'skills/ask.yaml': skill('ask', 'capability', { type: 'agent', card_url: 'https://agent.example.com/card' }),
  'skills/both.yaml': skill('both', 'capability', { type: 'composed', composes: ['ask', 'decide'] }),
  'funnels/f.yaml': {
    apiVersion: 'kit/v1',
    kind: 'Funnel',
    ...about('f'),
    validate: {},
    judge: { skill: 'decide' },
    review: { archetype: 'reviewer', read_scope: ['src/**'] },
    approve: { rules: [{ scope: 'a:b', roles: ['lead'], quorum: 'all' }] },
    ...provenance,
  },
  'roles/people.yaml': {
    apiVersion: 'kit/v1',
    kind: 'RoleRegistry',
    metadata: { id: 'people', name: 'People' },
    roles: [{ id: 'lead', members: ['alice', 'bob'], scopes: ['a:b'] }],
  },
  'triggers/hook.yaml': {
    apiVersion: 'kit/v1',
    kind: 'Trigger',
    metadata: { id: 'hook', name: 'Hook' },
    type: 'manual',
    targets: ['t', { pipeline: 'p', emit: 'done' }],
  },
} as const;

const inWorkspace = (...at: Keys): Place => ({ file: 'workspace.yaml', at });

const PLACES: Readonly<Partial<Record<Block, Place>>> = {
  ApprovalPolicy: { file: 'funnels/f.yaml', at: ['approve'], beside: { expires_after: '2h', escalate_to: ['lead'] } },
  ModelBlock: { file: 'topologies/t.yaml', at: ['agents', 'root', 'model'] },
  DecisionBinding: inWorkspace('governance', 'decision_skills', 0),
  Planning: inWorkspace('planning'),
  IntentMonitoring: { file: 'topologies/t.yaml', at: ['intent_monitoring'] },
  ValidateLayer: { file: 'funnels/f.yaml', at: ['validate'] },
  JudgeLayer: { file: 'funnels/f.yaml', at: ['judge'] },
  ReviewLayer: { file: 'funnels/f.yaml', at: ['review'] },
  ComposedImplementation: { file: 'skills/both.yaml', at: ['implementation'] },
  AgentImplementation: { file: 'skills/ask.yaml', at: ['implementation'] },
  'SkillConstraints.retry': { file: 'skills/decide.yaml', at: ['constraints', 'retry'] },
  'TopologyArtifacts.skill_gap_logging': { file: 'topologies/t.yaml', at: ['artifacts', 'skill_gap_logging'] },
  Trigger: { file: 'triggers/hook.yaml', at: [] },
  EventTarget: { file: 'triggers/hook.yaml', at: ['targets', 1] },
  'Workspace.gates': inWorkspace('gates'),
  'Workspace.audit': inWorkspace('audit'),
  WorkspaceGovernance: inWorkspace('governance'),
  GovernanceLimits: inWorkspace('governance', 'limits'),
  McpServer: inWorkspace('mcp_servers', 0),
  CommandPack: inWorkspace('command_packs', 0),
  PackCommand: inWorkspace('command_packs', 0, 'commands', 0),
  'PackCommand.output': inWorkspace('command_packs', 0, 'commands', 0, 'output'),
  'Storage.artifacts': inWorkspace('storage', 'artifacts'),
  Storage: inWorkspace('storage'),
  ContextCompression: inWorkspace('context_compression'),
  Memory: inWorkspace('memory'),
  'Memory.reader': inWorkspace('memory', 'reader'),
  'Memory.writer': inWorkspace('memory', 'writer'),
  'Server.mcp': inWorkspace('server', 'mcp'),
  'Server.console': inWorkspace('server', 'console'),
  'Server.a2a': inWorkspace('server', 'a2a'),
  ServerJobs: inWorkspace('server', 'jobs'),
  PromoteWhen: inWorkspace('server', 'canary', 'routes', 0, 'versions', 0, 'promote_when'),
  ServerAuth: inWorkspace('server', 'auth'),
};

/**
 * Keys and blocks that are handed on as written, and read with their defaults where they are used.
 * `drift_below`: where it is not written, a run without measured drift meets it.
 */
const HANDED_ON = new Set([
  'AdapterGate.refuse_control_files',
  'AdapterSandbox.kind',
  'AdapterSandbox.network',
  'AdapterSandbox.resources',
  'AdapterSpec.on_unanswerable',
  'AdapterSpec.stream.retain_raw',
  'AgentImplementation.max_agent_answers',
  'AgentImplementation.on_unanswerable',
  'EvalExpectation.min_confidence',
  'GovernanceLimits.max_remote_calls',
  'McpServer.sandbox_resources',
  'McpServer.sandboxed',
  'ModelServer',
  'ModelServer.capabilities',
  'PromoteWhen.drift_below',
  'ServerAuthConfig',
  'Storage.artifacts.prefix',
  'Storage.audit.retention_days',
  'WebhookAuth.repeats',
  'WorkspaceGovernance.policy_language',
  'harness.budget.max_idle_seconds',
  'harness.trust_threshold',
]);

const defaults = Object.entries(DEFAULTS).flatMap(([block, keys]) =>
  Object.entries(keys).map(([key, value]) => ({ name: `${block}.${key}`, block, key, value: value as unknown })),
);

/** A copy in which the block at a place also has these members. */
function withMembers(value: unknown, [first, ...rest]: Keys, members: object): unknown {
  if (first === undefined) return { ...(value as object | undefined), ...members };
  if (typeof first === 'number')
    return (value as readonly unknown[]).map((item, index) =>
      index === first ? withMembers(item, rest, members) : item,
    );
  const before = value as Readonly<Record<string, unknown>> | undefined;
  return { ...before, [first]: withMembers(before?.[first], rest, members) };
}

/** What is linked of the files, without the files themselves. */
async function linkedWith({ file, at, beside }: Place, members: object): Promise<unknown> {
  const files = { ...FILES, [file]: withMembers(FILES[file], at, { ...beside, ...members }) };
  const sources = Object.entries(files).map(([path, value]) => [
    path,
    stringify(value, { aliasDuplicateObjects: false }),
  ]);
  const result = await compileSources(Object.fromEntries(sources));
  if (result.workspace === null) return errorsOf(result);
  const { config, archetypes, skillArtifacts, funnels, roles, triggers, adapters, topologies, ...rest } =
    result.workspace;
  return { ...rest, topologies: [...topologies.values()].map(({ artifact, ...topology }) => topology) };
}

/** Another value of the same type: of the words in use, one that is legal somewhere else. */
function otherThan(name: string, value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value > 1 ? value + 1 : value / 2 + 0.01;
  if (Array.isArray(value)) return ['root'];
  return OTHERS[name] ?? 'other';
}

const OTHERS: Readonly<Record<string, string>> = {
  'ApprovalPolicy.on_revision': 'reconfirm_changed',
  'ApprovalPolicy.on_expiry': 'escalate',
  'DecisionBinding.scope': 'root',
  'IntentMonitoring.on_drift': 'warn',
  'ReviewLayer.route_back_at': 'low',
  'ComposedImplementation.strategy': 'sequential',
  'AgentImplementation.permission': 'strict',
  'AgentImplementation.effects': 'read',
  'SkillConstraints.retry.backoff': 'linear',
  'EventTarget.correlation_id': '$.id',
  'Workspace.audit.level': 'minimal',
  'McpServer.permission': 'strict',
  'CommandPack.permission': 'strict',
  'PackCommand.effects': 'read',
  'PackCommand.output.parse': 'json',
  'Storage.artifacts.backend': 'postgres',
  'ContextCompression.backend': 'columnar',
  'Memory.reader.search_scope': 'all',
  'ServerJobs.recover': 'all',
  'ServerAuth.provider': 'api_key',
};

const linked = defaults.filter(({ name, block }) => !HANDED_ON.has(name) && !HANDED_ON.has(block));

test('what is handed on as written is told by a schema', () => {
  const names = defaults.flatMap(({ name, block }) => [name, block]);
  expect([...HANDED_ON].filter((name) => !names.includes(name))).toEqual([]);
});

test.each(linked)('$name is linked as its default where it is not written', async ({ name, block, key, value }) => {
  const place = PLACES[block as Block];
  if (place === undefined) throw new Error(`no place is known for ${block}`);

  const unwritten = await linkedWith(place, {});

  expect(Array.isArray(unwritten) ? unwritten : []).toEqual([]);
  expect(await linkedWith(place, { [key]: value })).toEqual(unwritten);
  expect(await linkedWith(place, { [key]: otherThan(name, value) })).not.toEqual(unwritten);
});
