import { diesInTool } from './command-scene.js';
import type { RunProof } from './proof.js';

const PACK = 'Workspace.command_packs.*';
const COMMAND = `${PACK}.commands.*`;
const ENTRY = 'Workspace.credentials.*';
const SLOW = { [`${COMMAND}.argv`]: ['sh', '-c', 'sleep 1.3; echo done'] };
const FAILING = { [`${COMMAND}.argv`]: ['sh', '-c', 'echo again >> tries; exit 1'] };
const RUN_SKILL = { 'Topology.agents.*.skills': ['run'] };
const env = { TOKEN: 'secret-one', OTHER: 'a-longer-secret' };

const PROOFS: readonly RunProof[] = [
  { key: `${ENTRY}.source`, a: 'env', b: 'file' },
  { key: `${ENTRY}.config`, a: { env: 'TOKEN' }, b: { env: 'OTHER' } },
  {
    key: `${ENTRY}.provider_id`,
    a: 'one',
    b: 'two',
    given: { [`${ENTRY}.source`]: 'hashicorp-vault' },
    refusesBoth: 'KIT_CREDENTIAL_UNRESOLVED',
  },
  {
    key: `${PACK}.requires.*.version`,
    a: '>=0.1',
    b: '>=999',
    given: { [`${PACK}.requires`]: [{ binary: process.execPath, version: '>=0.1' }] },
    refuses: 'KIT_BINARY_VERSION',
  },
  { key: `${PACK}.timeout_seconds`, a: 1, b: 20, given: SLOW },
  { key: `${PACK}.timeout_overrides`, a: { say: 1 }, b: { say: 20 }, given: SLOW },
  { key: `${PACK}.max_output_bytes`, a: 10, b: 1000 },
  { key: `${PACK}.cwd`, a: 'skills', b: 'providers' },
  { key: `${PACK}.env`, a: { MODE: 'one' }, b: { MODE: 'two' } },
  { key: `${PACK}.credentials_ref`, a: 'token', b: 'spare' },
  { key: `${PACK}.permission`, a: 'open', b: 'strict' },
  { key: `${PACK}.permission_overrides`, a: { say: 'open' }, b: { say: 'strict' } },
  { key: `${COMMAND}.id`, a: 'say', b: 'renamed', given: { 'Skill.implementation.pack': 'other' } },
  { key: `${COMMAND}.argv`, a: ['echo', '{text}'], b: ['echo', '{other}'] },
  { key: `${COMMAND}.description`, a: 'First.', b: 'Second.' },
  { key: `${COMMAND}.effects`, a: 'read', b: 'write', given: RUN_SKILL },
  { key: `${COMMAND}.on_in_doubt`, a: 'repeat', b: 'fail', run: { diesAfter: diesInTool } },
  { key: `${COMMAND}.output.parse`, a: 'text', b: 'lines' },
  { key: 'Skill.constraints.timeout_seconds', a: 1, b: 20, given: { ...SLOW, ...RUN_SKILL } },
  { key: 'Skill.constraints.max_latency_ms', a: 300, b: 20_000, given: { ...SLOW, ...RUN_SKILL } },
  {
    key: 'Skill.constraints.retry.attempts',
    a: 0,
    b: 2,
    given: { ...FAILING, ...RUN_SKILL, 'Skill.constraints.retry.backoff': 'none' },
  },
  {
    key: 'Skill.constraints.retry.backoff',
    a: 'none',
    b: 'linear',
    // The second pause is 2 s; a second is what other looks at the clock take, too.
    given: { ...FAILING, ...RUN_SKILL, 'Skill.constraints.retry.attempts': 2 },
    run: { showsPauses: true },
  },
  { key: 'Skill.constraints.on_failure', a: 'fail', b: 'escalate_to_human', given: { ...FAILING, ...RUN_SKILL } },
  { key: 'Skill.implementation.pack', a: 'pack', b: 'other', given: RUN_SKILL },
  { key: 'Skill.implementation.command', a: 'say', b: 'shout', given: RUN_SKILL },
];

/** Keys of command packs and of the credentials that they use. */
export const COMMAND_PROOFS: readonly RunProof[] = PROOFS.map((proof) => ({ ...proof, run: { env, ...proof.run } }));
