import type { RunProof } from './proof.js';

const AGENT = 'Topology.agents.*';
const OBJECT = { type: 'object', properties: { a: { type: 'string' } } };
const OTHER = { type: 'object', properties: { b: { type: 'integer' } } };

/** The model block is the same in three places. */
const models = (base: string, given: RunProof['given'] = {}): readonly RunProof[] => [
  { key: `${base}.provider`, a: 'local', b: 'mock', given: { ...given, [`${base}.name`]: 'm-1' } },
  { key: `${base}.name`, a: 'm-1', b: 'm-2', given },
  { key: `${base}.temperature`, a: 0, b: 1, given },
  { key: `${base}.max_output_tokens`, a: 10, b: 20, given },
  { key: `${base}.max_tokens`, a: 10, b: 20, given },
  { key: `${base}.effort`, a: 'low', b: 'high', given },
  { key: `${base}.options`, a: { a: 1 }, b: { a: 2 }, given },
];

/** A model that is away, and one behind it. */
const fallbacks = (base: string): readonly RunProof[] => {
  const down = { provider: 'mock', options: { script: [{ fail: { kind: 'auth' } }] } };
  const given = { [base]: { ...down, fallback: [{ provider: 'local', name: 'm-2' }] } };
  return [
    { key: `${base}.fallback.*.provider`, a: 'local', b: 'mock', given },
    { key: `${base}.fallback.*.name`, a: 'm-2', b: 'm-3', given },
    { key: `${base}.fallback.*.options`, a: { a: 1 }, b: { a: 2 }, given },
  ];
};

const toolModels = (base: string): readonly RunProof[] => [
  { key: `${base}.tool_provider`, a: 'local', b: 'mock' },
  { key: `${base}.tool_model`, a: 'm-1', b: 'm-2' },
  { key: `${base}.tool_choice`, a: 'auto', b: 'required' },
  { key: `${base}.strict`, a: false, b: true },
];

const prompts = (base: string): readonly RunProof[] => [
  { key: `${base}.system`, a: 'One.', b: 'Two.' },
  { key: `${base}.persona`, a: 'One.', b: 'Two.' },
];

/** A model that calls a tool which there is not. */
const CALLS_NOTHING = {
  provider: 'mock',
  options: { script: [{ tool_calls: [{ name: 'get-weather', input: {} }] }, { text: 'done' }] },
};

const TOPOLOGY: readonly RunProof[] = [
  { key: 'Topology.metadata.version', a: '1.0.0', b: '2.0.0' },
  { key: 'Topology.input_schema', a: { type: 'string' }, b: { type: 'object' }, refuses: 'KIT_INPUT_INVALID' },
  { key: 'Topology.output_schema', a: OBJECT, b: OTHER },
  { key: `${AGENT}.id`, a: 'root', b: 'chief' },
  { key: `${AGENT}.role`, at: `${AGENT}.children.*.role`, a: 'worker', b: 'leader' },
  { key: `${AGENT}.archetype`, at: `${AGENT}.children.*.archetype`, a: 'first', b: 'plain' },
  {
    key: `${AGENT}.description`,
    at: `${AGENT}.children.*.description`,
    a: 'Knows the markets of Europe.',
    b: 'Knows the markets of Asia.',
    // Its own words win over those of its archetype.
    given: {
      'Archetype.metadata.description': 'Knows markets.',
      [`${AGENT}.children`]: [{ id: 'one', role: 'worker', archetype: 'first' }],
    },
  },
  { key: `${AGENT}.skills`, a: ['ask'], b: ['tell'] },
  { key: `${AGENT}.skills_additional`, a: [], b: ['tell'] },
  { key: `${AGENT}.requires`, a: {}, b: { ask: ['tell'] }, given: { [`${AGENT}.skills`]: ['ask', 'tell'] } },
  { key: `${AGENT}.output_schema`, a: OBJECT, b: OTHER },
  { key: `${AGENT}.children`, a: [], b: [{ id: 'only', role: 'worker', archetype: 'plain' }] },
  {
    key: `${AGENT}.depends_on`,
    at: `${AGENT}.children.*.depends_on`,
    a: [],
    b: ['two'],
    given: { [`${AGENT}.children`]: ['one', 'two'].map((id) => ({ id, role: 'worker', archetype: 'plain' })) },
  },
  ...models(`${AGENT}.model`),
  ...fallbacks(`${AGENT}.model`),
  ...toolModels(`${AGENT}.model`),
  ...prompts(`${AGENT}.prompt`),
  ...(
    [
      ['enabled', true, false],
      ['surface_threshold', 1, 3],
    ] as const
  ).map(
    ([key, a, b]): RunProof => ({
      key: `Topology.artifacts.skill_gap_logging.${key}`,
      a,
      b,
      given: { [`${AGENT}.model`]: CALLS_NOTHING },
    }),
  ),
  {
    key: `${AGENT}.iam.base_scope`,
    a: ['kb:read'],
    b: ['kb:write'],
    given: { 'Skill.iam.required_scopes': ['kb:read'] },
  },
];

const INHERITED = { [`${AGENT}.skills`]: undefined };
const ARCHETYPE: readonly RunProof[] = [
  {
    key: 'Archetype.metadata.description',
    a: 'Knows the markets of Europe.',
    b: 'Knows the markets of Asia.',
    // Who gives tasks to an agent is told what it is for.
    given: { [`${AGENT}.children`]: [{ id: 'one', role: 'worker', archetype: 'first' }] },
  },
  ...models('Archetype.defaults.model'),
  ...fallbacks('Archetype.defaults.model'),
  ...toolModels('Archetype.defaults.model'),
  ...prompts('Archetype.defaults.prompt'),
  {
    key: 'Archetype.defaults.iam.base_scope',
    a: ['kb:read'],
    b: ['kb:write'],
    given: { 'Skill.iam.required_scopes': ['kb:read'] },
  },
  { key: 'Archetype.defaults.output_schema', a: OBJECT, b: OTHER },
  ...['Archetype.defaults.skills', 'Archetype.skills'].flatMap((base): readonly RunProof[] => {
    const given = { ...INHERITED, [base]: [{ abstract: { category: 'capability' } }] };
    const coordination = { ...INHERITED, [base]: [{ abstract: { category: 'coordination' } }] };
    return [
      { key: `${base}.*`, a: 'ask', b: 'tell', given },
      { key: `${base}.*.abstract.category`, a: 'capability', b: 'persistence', given },
      { key: `${base}.*.abstract.capability`, a: 'tell', b: 'tally', given: coordination },
    ];
  }),
];

const COMPLETE = { 'Skill.audit': { log_inputs: 'full', log_outputs: 'full' } };

const SKILL: readonly RunProof[] = [
  { key: 'Skill.metadata.description', a: 'The first description.', b: 'The second description.' },
  { key: 'Skill.category', a: 'capability', b: 'persistence' },
  { key: 'Skill.inputs', a: OBJECT, b: OTHER },
  { key: 'Skill.outputs', a: OBJECT, b: OTHER },
  { key: 'Skill.iam.required_scopes', a: ['kb:read'], b: ['kb:write'] },
  { key: 'Skill.audit.log_inputs', a: 'none', b: 'full' },
  { key: 'Skill.audit.log_outputs', a: 'none', b: 'full' },
  { key: 'Skill.audit.redact', a: ['$.input'], b: ['$.other'], given: COMPLETE },
  {
    key: 'Skill.implementation.strategy',
    a: 'parallel-consensus',
    b: 'sequential',
    given: { 'Skill.implementation': { type: 'composed', composes: ['keep', 'tell'] } },
  },
  {
    key: 'Skill.implementation.strategy_class',
    a: 'one',
    b: 'two',
    given: { 'Skill.implementation': { type: 'composed', composes: ['keep', 'tell'], strategy: 'custom' } },
    refusesBoth: 'KIT_WORKSPACE_INVALID',
  },
  { key: 'Skill.implementation.prompt', a: 'One.', b: 'Two.' },
  ...fallbacks('Skill.implementation.model'),
  ...models('Skill.implementation.model', { 'Skill.implementation.model': { provider: 'local', name: 'm-1' } }),
];

/** Nothing listens there: what is shown is which database was asked. */
const nowhere = (name: string): string => `postgres://127.0.0.1:1/${name}`;

const STORAGE: readonly RunProof[] = [
  { key: 'Workspace.storage.runtime.backend', a: 'sqlite', b: 'postgres', refuses: 'KIT_STORE_UNAVAILABLE' },
  {
    key: 'Workspace.storage.runtime.url',
    a: nowhere('a'),
    b: nowhere('b'),
    given: { 'Workspace.storage.runtime.backend': 'postgres' },
    refusesBoth: 'KIT_STORE_UNAVAILABLE',
  },
  ...['audit', 'memory'].map(
    (block): RunProof => ({
      key: `Workspace.storage.${block}.backend`,
      a: 'sqlite',
      b: 'postgres',
      refuses: 'KIT_STORE_UNAVAILABLE',
    }),
  ),
  {
    key: 'Workspace.storage.memory.url',
    a: nowhere('a'),
    b: nowhere('b'),
    given: { 'Workspace.storage.memory.backend': 'postgres', 'Workspace.memory': {} },
    refusesBoth: 'KIT_STORE_UNAVAILABLE',
  },
  {
    // A log that cannot be reached is waited for; what names no server is refused.
    key: 'Workspace.storage.audit.url',
    a: nowhere('log'),
    b: 'mysql://127.0.0.1:1/log',
    given: { 'Workspace.storage.audit.backend': 'postgres' },
    refuses: 'KIT_STORE_UNAVAILABLE',
  },
];

const WORKSPACE: readonly RunProof[] = [
  ...STORAGE,
  { key: 'Workspace.audit.level', a: 'minimal', b: 'detailed', given: COMPLETE },
  { key: 'Topology.artifacts.audit.level', a: 'minimal', b: 'detailed', given: COMPLETE },
  { key: 'Workspace.governance.limits.max_steps_per_agent', a: 1, b: 20 },
  { key: 'Workspace.governance.limits.max_steps_per_run', a: 2, b: 20 },
  { key: 'Workspace.governance.limits.max_tokens_per_run', a: 1, b: 1_000_000 },
  {
    key: 'Workspace.governance.limits.max_cost_per_run_usd',
    a: 0.5,
    b: 1,
    given: {
      [`${AGENT}.children`]: [],
      [`${AGENT}.skills`]: [],
      [`${AGENT}.model`]: { provider: 'mock', options: { script: [{ text: 'dear', usage: { cost_usd: 0.7 } }] } },
    },
  },
  { key: 'Workspace.storage.journal_days', a: 0, b: 7 },
  { key: 'Workspace.metadata.annotations', a: { stage: 'test' }, b: { stage: 'live' } },
  ...['organisation', 'team'].flatMap((label): readonly RunProof[] => [
    { key: `Workspace.${label}.id`, a: 'first', b: 'second' },
    { key: `Workspace.${label}.name`, a: 'The first.', b: 'The second.', given: { [`Workspace.${label}.id`]: 'some' } },
  ]),
];

/**
 * Keys whose effect a run shows in what the model is asked, in what happens, and in what is written
 * down.
 */
export const AGENT_PROOFS: readonly RunProof[] = [...TOPOLOGY, ...ARCHETYPE, ...SKILL, ...WORKSPACE];
