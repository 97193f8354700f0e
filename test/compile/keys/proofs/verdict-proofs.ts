import type { VerdictProof } from './proof.js';

const KINDS = [
  'Workspace',
  'Topology',
  'Archetype',
  'Skill',
  'Funnel',
  'RoleRegistry',
  'Contract',
  'Trigger',
  'ExecutorAdapter',
  'ModelProvider',
  'EvalSet',
];

/** One legal value each: the schema says so. */
const HEADS: readonly VerdictProof[] = KINDS.flatMap((kind) => [
  { key: `${kind}.apiVersion`, a: 'kit/v1', b: 'kit/v2', bySchema: true },
  { key: `${kind}.kind`, a: kind, b: 'Other' },
]);

/** What is renamed is missing under its old name, or stands in a list under its new one. */
const IDENTIFIERS: readonly VerdictProof[] = [
  { key: 'Workspace.metadata.id', a: 'w', b: 'v' },
  { key: 'Workspace.metadata.name', a: 'W', b: 'V' },
  { key: 'Workspace.metadata.description', a: 'One.', b: 'Two.' },
  { key: 'Topology.metadata.name', a: 'main', b: 'renamed' },
  { key: 'Archetype.metadata.id', a: 'first', b: 'renamed' },
  { key: 'Skill.metadata.id', a: 'ask', b: 'renamed' },
  { key: 'Funnel.metadata.id', a: 'gate', b: 'renamed', given: { 'Topology.agents.*.funnel': 'gate' } },
  { key: 'Contract.metadata.id', a: 'api', b: 'renamed', given: { 'Topology.locks': ['api'] } },
  { key: 'Trigger.metadata.id', a: 'hand', b: 'renamed' },
  { key: 'ExecutorAdapter.metadata.id', a: 'tool', b: 'renamed' },
  {
    key: 'ModelProvider.metadata.id',
    a: 'local',
    b: 'renamed',
    given: { 'Topology.agents.*.model.provider': 'local' },
  },
  { key: 'EvalSet.metadata.id', a: 'smoke', b: 'more' },
  { key: 'EvalSet.cases.*.id', a: 'a', b: 'b' },
  { key: 'RoleRegistry.roles.*.id', a: 'lead', b: 'team-r2' },
  { key: 'RoleRegistry.identities.*.id', a: 'alice', b: 'bob' },
];

const MCP = { 'Skill.implementation': { type: 'mcp_tool', server: 'server', tool: 't' } };

const REFERENCES: readonly VerdictProof[] = [
  { key: 'Topology.locks', a: ['api'], b: ['unknown'] },
  { key: 'Workspace.mcp_servers.*.id', a: 'server', b: 'renamed', given: MCP },
  { key: 'Workspace.command_packs.*.id', a: 'pack', b: 'renamed', given: { 'Archetype.skills': ['pack:pack'] } },
  { key: 'Workspace.command_packs.*.requires.*.binary', a: 'sh', b: 'no-such-binary-anywhere' },
  { key: 'Skill.implementation.server', a: 'server', b: 'unknown', given: MCP },
  {
    key: 'Skill.implementation.composes',
    a: ['judge'],
    b: ['unknown'],
    given: { 'Skill.implementation': { type: 'composed', composes: ['judge'] } },
  },
  {
    key: 'Skill.implementation.topology',
    a: 'second',
    b: 'unknown',
    given: { 'Skill.implementation': { type: 'agent', topology: 'second' } },
  },
  { key: 'Skill.implementation.type', a: 'llm_prompt', b: 'agent', bySchema: true },
  {
    key: 'Skill.implementation.model.tool_provider',
    a: 'mock',
    b: 'local',
    given: { 'Skill.implementation': { type: 'llm_prompt', prompt: 'Judge.', model: { name: 'm' } } },
  },
  {
    key: 'Skill.implementation.model.tool_model',
    a: 'm-1',
    b: 'm-2',
    given: { 'Skill.implementation': { type: 'llm_prompt', prompt: 'Judge.', model: { name: 'm' } } },
  },
  ...[
    { key: 'tool_choice', a: 'auto', b: 'required' },
    { key: 'strict', a: false, b: true },
  ].map((one) => ({
    ...one,
    key: `Skill.implementation.model.${one.key}`,
    given: { 'Skill.implementation': { type: 'llm_prompt', prompt: 'Judge.', model: { name: 'm' } } },
  })),
  { key: 'Trigger.targets.*', a: 'main', b: 'unknown' },
  { key: 'Trigger.topology', a: 'main', b: 'unknown', given: { 'Trigger.targets': undefined } },
  { key: 'EvalSet.target', a: 'main', b: 'unknown' },
];

/** Rules over what is written, and settings that nothing reads and whose author should know it. */
const RULES: readonly VerdictProof[] = [
  { key: 'Topology.agents.*.model', a: { provider: 'mock' }, b: { provider: 'mock', unread: 1 } },
  { key: 'Topology.agents.*.prompt', a: { system: 'a' }, b: { system: 'a', unread: 1 } },
  { key: 'Archetype.defaults.model', a: { provider: 'mock' }, b: { provider: 'mock', unread: 1 } },
  { key: 'Archetype.defaults.prompt', a: { system: 'a' }, b: { system: 'a', unread: 1 } },
  { key: 'Skill.implementation.model', a: { provider: 'mock' }, b: { provider: 'mock', unread: 1 } },
  { key: 'Skill.provenance.requires_runtime', a: '>=1.0.0', b: '>=9999.0.0' },
  {
    key: 'Archetype.executor.version_constraint',
    a: '^1.0.0',
    b: '^2.0.0',
    given: { 'Archetype.executor': { kind: 'harness', ref: 'tool', config: {} } },
  },
  { key: 'RoleRegistry.roles.*.members', a: ['alice'], b: [], given: { 'Funnel.approve.min_distinct_approvers': 1 } },
  { key: 'RoleRegistry.roles.*.scopes', a: ['release:approve'], b: ['release:refuse'] },
  { key: 'Contract.parties', a: ['web', 'shop'], b: ['web', 'web'] },
  { key: 'ExecutorAdapter.spec.stream.format', a: 'jsonl', b: 'xml', bySchema: true },
  {
    key: 'ExecutorAdapter.spec.gate.protocol',
    a: 'claude-hook',
    b: 'other',
    bySchema: true,
    given: { 'ExecutorAdapter.spec.gate': { tools: {} } },
  },
  { key: 'ExecutorAdapter.spec.grant.arg', a: undefined, b: ['--allow', '{grant.capabilities}'] },
  { key: 'ExecutorAdapter.spec.grant.separator', a: undefined, b: ',' },
  { key: 'ExecutorAdapter.spec.interaction.driver', a: 'park-resume', b: 'hold-stream' },
  {
    key: 'ExecutorAdapter.spec.interaction.max_approval_wait_seconds',
    a: 0,
    b: 300,
    given: { 'ExecutorAdapter.spec.interaction': { driver: 'park-resume' } },
  },
  { key: 'ExecutorAdapter.spec.sandbox.network', a: 'deny', b: 'allowlist' },
  { key: 'ExecutorAdapter.spec.sandbox.allow', a: [], b: ['api.example.org'] },
  { key: 'ExecutorAdapter.spec.requires', a: undefined, b: 'code' },
  { key: 'ModelProvider.spec.requires', a: undefined, b: 'code' },
];

const AUDIT = 'Topology.artifacts.audit';

/** What belongs to the workspace: a topology may only say the same. */
const OF_THE_WORKSPACE: readonly VerdictProof[] = [
  { key: 'Topology.runtime.mode', a: 'one-shot', b: 'persistent' },
  { key: 'Topology.runtime.checkpointing', a: { storage: 'sqlite' }, b: { storage: 'sqlite', unread: 1 } },
  { key: 'Topology.runtime.checkpointing.storage', a: 'sqlite', b: 'postgres' },
  { key: `${AUDIT}.storage`, a: 'sqlite', b: 'postgres' },
  { key: `${AUDIT}.retention_days`, a: 365, b: 30 },
  {
    key: 'Topology.artifacts.review_queues.*.storage',
    a: 'sqlite',
    b: 'postgres',
    given: { 'Topology.artifacts.review_queues': [{ id: 'legal' }] },
  },
];

/** What `kit validate --tree` shows of an artifact, for people. */
const SHOWN: readonly VerdictProof[] = [
  { key: 'Topology.metadata.description', a: 'The first text.', b: 'The second text.' },
];

/** Keys whose effect is a verdict of `kit validate`, or a line of its report. */
export const VERDICT_PROOFS: readonly VerdictProof[] = [
  ...HEADS,
  ...IDENTIFIERS,
  ...REFERENCES,
  ...RULES,
  ...OF_THE_WORKSPACE,
  ...SHOWN,
];
