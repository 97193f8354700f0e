import type { RunProof } from './proof.js';

const A = 'Funnel.approve';
const RULE = `${A}.rules.*`;
const EXPIRES = { [`${A}.expires_after`]: '48h' };

/** Keys of gates whose effect is what `kit run --dry-run` says of them, or refuses. */
export const GATE_PROOFS: readonly RunProof[] = [
  { key: 'Topology.agents.*.funnel', a: 'gate', b: 'other' },
  { key: 'Workspace.gates.auto_resume', a: true, b: false },
  { key: 'Workspace.governance.require_identified_author', a: false, b: true, refuses: 'KIT_AUTHOR_UNIDENTIFIED' },
  {
    key: 'Workspace.governance.require_gates',
    a: false,
    b: true,
    refuses: 'KIT_GATE_NOT_ENFORCEABLE',
    given: { [`${RULE}.roles`]: ['nobody-has-it'] },
  },
  { key: 'RoleRegistry.identities.*.aliases', a: [], b: ['tester'] },
  { key: 'Funnel.validate.schema', a: '../files/strict.json', b: '../files/loose.json' },
  { key: 'Funnel.validate.autocorrect', a: true, b: false },
  { key: 'Funnel.validate.slice_budget.max_diff_lines', a: 1, b: 2 },
  { key: 'Funnel.validate.slice_budget.max_files', a: 1, b: 2 },
  { key: 'Funnel.validate.cited_change', a: true, b: false },
  { key: 'Funnel.judge.skill', a: 'judge', b: 'second-judge' },
  { key: 'Funnel.judge.rubric', a: 'files/strict.json', b: 'files/loose.json' },
  { key: 'Funnel.judge.threshold', a: 0.8, b: 0.9 },
  { key: 'Funnel.judge.max_retries', a: 2, b: 3 },
  { key: 'Funnel.review.archetype', a: 'critic', b: 'second-critic' },
  { key: 'Funnel.review.read_scope', a: ['src'], b: ['docs'] },
  { key: 'Funnel.review.route_back_at', a: 'high', b: 'low' },
  { key: `${RULE}.scope`, a: 'release:approve', b: 'release:sign' },
  { key: `${RULE}.roles`, a: ['lead'], b: ['qa'] },
  { key: `${RULE}.quorum`, a: 'all', b: 'any' },
  { key: `${RULE}.quorum.k-of`, a: 1, b: 2, given: { [`${RULE}.quorum`]: {} } },
  { key: `${RULE}.covers`, a: ['/summary'], b: ['/detail'] },
  { key: `${A}.exclude_author`, a: true, b: false },
  { key: `${A}.on_revision`, a: 'reset_all', b: 'reconfirm_changed' },
  { key: `${A}.min_distinct_approvers`, a: 1, b: 2 },
  { key: `${A}.expires_after`, a: '48h', b: '72h' },
  { key: `${A}.remind_before`, a: '1h', b: '2h', given: EXPIRES },
  { key: `${A}.on_expiry`, a: 'reject', b: 'escalate', given: { ...EXPIRES, [`${A}.escalate_to`]: ['lead'] } },
  { key: `${A}.escalate_to`, a: ['lead'], b: ['qa'], given: { ...EXPIRES, [`${A}.on_expiry`]: 'escalate' } },
];
