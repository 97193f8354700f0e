import { diesInSession } from './harness-scene.js';
import type { RunProof } from './proof.js';

const SPEC = 'ExecutorAdapter.spec';
const RULE = `${SPEC}.event_map.*`;
const EXECUTOR = 'Archetype.executor';
const SUBSCRIPTION = { [`${SPEC}.auth.default`]: 'subscription' };
const DIES = { run: { diesAfter: diesInSession } };
const MODEL_AGENT = { 'Archetype.defaults.model': { provider: 'mock', name: 'm-1' } };

/** A session that tells tokens of every kind. */
const PRICED = {
  [`${SPEC}.event_map.2.emit`]: [
    {
      event: 'usage',
      with: { input_tokens: 700_000, output_tokens: 500_000, cached_tokens: 200_000, reasoning_tokens: 100_000 },
    },
  ],
  [`${SPEC}.prices`]: [{ model: '*', input: 1, output: 1 }],
};

/**
 * The tool asks its hook about one call, and leaves the answer in a file of its diff. Calls that it
 * tells of without having asked would end it.
 */
const ASKS = {
  [`${SPEC}.event_map.0.when`]: { type: 'nothing' },
  [`${SPEC}.launch.optional_args`]: [{ when: 'gate.settings', args: ['{gate.settings}'] }],
  [`${EXECUTOR}.config`]: { permissions: [] },
  [`${SPEC}.gate`]: { protocol: 'claude-hook', tools: { 'mcp__*__*': { kind: 'edit', subject: 'path' } } },
};
const TOOL_OF_GATE = `${SPEC}.gate.tools.mcp__*__*`;

const HOME = `${SPEC}.launch.home`;

/** The tool tells what lies in the folder that is its own. */
const OWN_HOME = {
  [HOME]: { variable: 'C', from: '~/.kit-test-settings', link: [], config: 'one.toml', without: [] },
};

/** The agent holds a skill, and the tool tells where it was told to find it. */
const HOLDS = {
  'Archetype.skills': ['note'],
  [`${SPEC}.launch.optional_args`]: [
    { when: 'task.mcp_tools', args: ['{task.mcp_tools}'] },
    { when: 'task.mcp_config', args: ['{task.mcp_config}'] },
  ],
};

/** Keys that decide how a harness is started, and what its lines mean. */
export const HARNESS_PROOFS: readonly RunProof[] = [
  { key: EXECUTOR, a: { kind: 'harness', ref: 'a-tool' }, b: undefined, given: MODEL_AGENT },
  { key: `${EXECUTOR}.kind`, a: 'harness', b: 'model', given: MODEL_AGENT },
  { key: `${EXECUTOR}.ref`, a: 'a-tool', b: 'other' },
  { key: `${EXECUTOR}.config`, a: { model: 'm-1' }, b: { model: 'm-2' } },
  { key: `${EXECUTOR}.on_in_doubt`, a: 'repeat', b: 'fail', ...DIES },
  { key: `${SPEC}.launch.command`, a: ['sh', 'tool.sh'], b: ['sh', 'tool.sh', 'more'] },
  { key: `${SPEC}.launch.optional_args.*.when`, a: 'config.model', b: 'config.other' },
  { key: `${SPEC}.launch.optional_args.*.args`, a: ['-a'], b: ['-b'] },
  { key: `${SPEC}.launch.env`, a: { A: '1' }, b: { A: '2' } },
  { key: `${SPEC}.launch.stdin`, a: 'one', b: 'two' },
  { key: `${HOME}.variable`, a: 'C', b: 'D', given: OWN_HOME },
  { key: `${HOME}.from`, a: '~/.kit-test-settings', b: '~/.no-such-settings', given: OWN_HOME },
  { key: `${HOME}.link`, a: [], b: ['off.json'], given: OWN_HOME },
  { key: `${HOME}.config`, a: 'one.toml', b: 'two.toml', given: OWN_HOME },
  { key: `${HOME}.without`, a: [], b: ['a'], given: OWN_HOME },
  { key: `${SPEC}.launch.mcp_tool_name`, a: '{gateway}_{tool}', b: 'mcp_{tool}', given: HOLDS },
  { key: `${SPEC}.launch.mcp_file`, a: '{"a":"{gateway}"}', b: '{"b":"{gateway}"}', given: HOLDS },
  { key: `${SPEC}.gate.tools.*.kind`, at: `${TOOL_OF_GATE}.kind`, a: 'edit', b: 'execute', given: ASKS },
  { key: `${SPEC}.gate.tools.*.subject`, at: `${TOOL_OF_GATE}.subject`, a: 'path', b: 'other', given: ASKS },
  { key: `${SPEC}.gate.control_files`, a: [], b: ['changed.txt'], given: ASKS },
  {
    key: `${SPEC}.gate.stdin`,
    a: 'one',
    b: 'two',
    given: ASKS,
  },
  {
    key: `${SPEC}.gate.refuse_control_files`,
    a: false,
    b: true,
    given: { ...ASKS, [`${SPEC}.gate.control_files`]: ['tool.sh'] },
  },
  {
    key: `${SPEC}.gate.user_settings`,
    a: '~/.no-such-settings.json',
    b: '~/.kit-test-settings/off.json',
    given: ASKS,
  },
  { key: `${SPEC}.auth.default`, a: 'api_key', b: 'subscription' },
  { key: `${SPEC}.auth.modes.api_key.env`, a: { B: '1' }, b: { B: '2' } },
  { key: `${SPEC}.auth.modes.api_key.args`, a: ['-a'], b: ['-b'] },
  { key: `${SPEC}.auth.modes.subscription.env`, a: { B: '1' }, b: { B: '2' }, given: SUBSCRIPTION },
  { key: `${SPEC}.auth.modes.subscription.args`, a: ['-a'], b: ['-b'], given: SUBSCRIPTION },
  { key: `${SPEC}.auth.modes.api_key.credential_paths`, a: [], b: ['~/.no-such-login'] },
  { key: `${SPEC}.auth.modes.subscription.credential_paths`, a: [], b: ['~/.no-such-login'], given: SUBSCRIPTION },
  { key: `${SPEC}.stream.retain_raw`, a: false, b: true },
  { key: `${RULE}.when`, a: { type: 'calls' }, b: { type: 'nothing' } },
  { key: `${RULE}.for_each`, a: '$.list', b: '$.more' },
  { key: `${RULE}.set.session_id`, at: `${SPEC}.event_map.1.set.session_id`, a: '$.session', b: '$.other', ...DIES },
  { key: `${RULE}.emit.*.event`, a: 'tool_call', b: 'raw' },
  { key: `${RULE}.emit.*.when`, a: { state: 'done' }, b: { state: 'bad' } },
  { key: `${RULE}.emit.*.with.*`, at: `${RULE}.emit.*.with.tool`, a: '$.name', b: '$.state' },
  { key: `${RULE}.emit.*.with.*.from`, a: '$.state', b: '$.name' },
  { key: `${RULE}.emit.*.with.*.map`, a: 'status_map', b: 'other_map' },
  { key: `${SPEC}.*_map`, a: { done: 'ok' }, b: { done: 'error' } },
  { key: `${SPEC}.success_when.exit_code`, a: 0, b: 1 },
  { key: `${SPEC}.verified.program`, a: 'node', b: 'no-such-program', given: { [`${SPEC}.verified.range`]: '<1.0.0' } },
  { key: `${SPEC}.verified.range`, a: '>=1.0.0', b: '<1.0.0', given: { [`${SPEC}.verified.program`]: 'node' } },
  { key: `${SPEC}.artifacts.profile`, a: 'files', b: 'structured' },
  {
    key: `${SPEC}.telemetry_grade`,
    a: 'normalized',
    b: 'opaque',
    given: { [`${SPEC}.event_map.2.emit`]: [{ event: 'usage', with: { input_tokens: 7, cost_usd: 0.5 } }] },
  },
  ...(['model', 'input', 'output', 'cached_input', 'reasoning'] as const).map((key) => ({
    key: `${SPEC}.prices.*.${key}`,
    ...(key === 'model' ? { a: 'm-*', b: 'other-*' } : { a: 1, b: 2 }),
    given: PRICED,
  })),
  {
    key: `${SPEC}.on_unanswerable`,
    a: 'deny',
    b: 'abort',
    given: { [`${SPEC}.event_map.2.emit`]: [{ event: 'approval_requested', with: { capability: 'shell' } }] },
  },
  {
    key: `${SPEC}.resume.prompt`,
    a: 'Go on.',
    b: 'Carry on.',
    given: { [`${SPEC}.launch.stdin`]: '{task.statement}' },
    ...DIES,
  },
  { key: `${SPEC}.resume.arg`, a: ['-a', '{resume.token}'], b: ['-b', '{resume.token}'], ...DIES },
];
