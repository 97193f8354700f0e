// Rounds on both sides: the first of each gate, and every later one.
import type {
  ApprovalPolicy,
  GateEvidence,
  ReviewItem,
  ReviewState,
  RoleDirectory,
} from '../../../src/domain/gates.js';
import { readPeople } from '../oracle/people.js';
import { firstRound, nextRound } from '../oracle/rounds.js';
import type { Draft, World } from '../oracle/world.js';
import { type Case, Difference, type Pair } from './case.js';
import { itemsOf, stateProblem } from './compare.js';
import { openRound } from './engine.js';
import { emptyReviews, opened } from './memory-reviews.js';
import { agentIdOf, gateIdOf, itemIdOf, JOB_ID, OTHER_ITEM } from './names.js';

export interface Opening {
  readonly gate: number;
  readonly activation: string;
  readonly draft: Draft;
}

const NO_EVIDENCE: GateEvidence = {
  retries: 0,
  escalated: false,
  failedLayers: [],
  critique: null,
  judge: null,
  findings: [],
  diffSha256: null,
};

const PERMISSION: ReviewItem = {
  id: OTHER_ITEM,
  kind: 'permission',
  jobId: JOB_ID,
  topologyId: 't',
  agentId: agentIdOf(0),
  skillId: null,
  stepKey: 'root',
  gateId: null,
  ruleIndex: null,
  role: null,
  scope: null,
  round: 0,
  status: 'pending',
  resolvedBy: '',
  comment: '',
  answer: null,
  reason: 'May it write?',
  artifactRef: '',
  question: 'May it write?',
  options: [],
  freeTextAllowed: false,
  details: null,
  stale: false,
  withdrawn: false,
  escalated: false,
  reopened: 0,
  createdAt: '2030-01-01T00:00:00.000Z',
  resolvedAt: null,
};

/** Null when the engine opens no further round. */
export function openInState(
  state: ReviewState,
  { gate, activation, draft }: Opening,
  policy: ApprovalPolicy | undefined,
  roles: RoleDirectory,
) {
  if (policy === undefined) throw new Error(`no gate ${gate}`);
  const result = openRound(state, {
    gateId: gateIdOf(gate),
    agentId: agentIdOf(gate),
    activation,
    stepKey: `${activation}/gate`,
    funnelId: 'f',
    topologyId: 't',
    artifactRef: `c/${JOB_ID}/draft#${draft.sha256.slice(0, 12)}`,
    sha256: draft.sha256,
    mediaType: 'application/json',
    policy,
    policyDigest: 'p'.repeat(64),
    evidence: { ...NO_EVIDENCE, diffSha256: draft.diff },
    parts: draft.parts,
    roles,
  });
  return 'failed' in result ? null : opened(state, result.opening);
}

export const openInWorld = (world: World, { gate, activation, draft }: Opening): World | null =>
  nextRound(world, gate, activation, draft);

/** Both sides with the first round of every gate open. */
export function begin(start: Case): Pair {
  const { policies, roles, author, drafts } = start;
  const draftOf = (gate: number): Draft => drafts[gate] ?? { sha256: '0'.repeat(64), diff: null, parts: {} };
  const gates = policies.map((policy, gate) => firstRound(policy, 'root/d0', draftOf(gate), 0));
  const world: World = { people: readPeople(roles), author, stopped: false, nowMs: 0, gates };
  let state: ReviewState = {
    ...emptyReviews(
      author,
      policies.map((_, gate) => gateIdOf(gate)),
    ),
    items: [PERMISSION],
  };
  for (const [gate, policy] of policies.entries()) {
    const next = openInState(state, { gate, activation: 'root/d0', draft: draftOf(gate) }, policy, roles);
    if (next === null) throw new Difference('the engine opens no first round', start, null);
    state = next;
    const ids = itemsOf(state, gate, 0).map(({ id }) => id);
    const ought = policy.rules.flatMap((rule, index) => rule.roles.map((role) => itemIdOf(gate, index, role, 0)));
    if (ids.join() !== ought.join())
      throw new Difference(`the tasks are ${ids.join()}, not ${ought.join()}`, start, null);
  }
  const problem = stateProblem(state, world);
  if (problem !== null) throw new Difference(problem, start, null);
  return { world, state, roles, trail: null };
}
