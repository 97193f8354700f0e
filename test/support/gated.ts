import { randomUUID } from 'node:crypto';
import type { ApprovalPolicy, ApprovalRule, GateRound, ReviewItem, RoleDirectory } from '../../src/domain/gates.js';
import type { Job } from '../../src/domain/job.js';
import type { LinkedFunnel } from '../../src/domain/linked-funnel.js';
import { answerItem } from '../../src/govern/approval/answer-item.js';
import { resolveItem } from '../../src/govern/approval/resolve-item.js';
import type { RunJobResult } from '../../src/worker/run-job-deps.js';
import type { World } from './run-world.js';

/** Two roles of one member each, and a role of two, all of which may sign releases. */
export const SIGNERS: RoleDirectory = {
  roles: [
    { id: 'qa', members: ['qa-1'], scopes: ['release:sign'] },
    { id: 'ops', members: ['ops-1'], scopes: ['release:sign'] },
    { id: 'leads', members: ['lead-1', 'lead-2'], scopes: ['release:sign'] },
  ],
  identities: [],
  digest: 'd'.repeat(64),
};

export const rule = (roles: readonly string[], over: Partial<ApprovalRule> = {}): ApprovalRule => ({
  scope: 'release:sign',
  roles,
  quorum: 'all',
  covers: null,
  ...over,
});

export const policy = (rules: readonly ApprovalRule[], over: Partial<ApprovalPolicy> = {}): ApprovalPolicy => ({
  rules,
  excludeAuthor: true,
  onRevision: 'reset_all',
  minDistinctApprovers: null,
  expiry: null,
  ...over,
});

/** A funnel of an `approve` layer alone. */
export const funnel = (approve: ApprovalPolicy, over: Partial<LinkedFunnel> = {}): LinkedFunnel => ({
  id: 'sign-off',
  validate: null,
  judge: null,
  review: null,
  maxRetries: 2,
  approve,
  ...over,
});

/** What a world needs so that agents with `funnel: 'sign-off'` are gated. */
export const gatedBy = (approve: ApprovalPolicy, over: Partial<LinkedFunnel> = {}) => ({
  roles: SIGNERS,
  snapshot: { funnels: { 'sign-off': funnel(approve, over) } },
});

export const TWO_ROLES = policy([rule(['qa', 'ops'])]);
export const ONE_ROLE = policy([rule(['qa'])]);

export async function reviews(world: World) {
  const state = await world.stores.reviews.state(world.job.id);
  if (state === null) throw new Error('the run has no reviews');
  return state;
}

export const isOpenItem = (item: ReviewItem): boolean => item.status === 'pending' && !item.stale && !item.withdrawn;

/** Rounds that people can decide now. */
export async function openRounds(world: World): Promise<readonly GateRound[]> {
  return (await reviews(world)).gates.filter((gate) => gate.status === 'pending' && !gate.withdrawn);
}

/**
 * One decision, by the first member of a role, about the open task of that role; `gateId` where
 * several are open.
 */
export async function decide(
  world: World,
  by: { role: string; outcome?: string; comment?: string; gateId?: string; as?: string },
): Promise<Job> {
  const { items } = await reviews(world);
  const item = items.find(
    (one) => isOpenItem(one) && one.role === by.role && (by.gateId === undefined || one.gateId === by.gateId),
  );
  if (item === undefined) throw new Error(`no open task of ${by.role}`);
  const { result, job } = await world.stores.reviews.change(world.job.id, (state) =>
    resolveItem(state, {
      itemId: item.id,
      identity: by.as ?? SIGNERS.roles.find((role) => role.id === by.role)?.members[0] ?? '',
      assurance: 'asserted',
      isUnauthenticated: true,
      outcome: by.outcome ?? 'approve',
      comment: by.comment ?? '',
      roles: SIGNERS,
      newId: randomUUID,
      sign: null,
    }),
  );
  if (result.kind !== 'recorded') throw new Error(result.message);
  return job;
}

/** Settles the one open item that is not a role task. */
export async function answer(
  world: World,
  given: { action: 'approve' | 'reject' | 'answer'; text?: string; comment?: string; by?: string },
): Promise<Job> {
  const item = (await reviews(world)).items.find((one) => isOpenItem(one) && one.kind !== 'role_task');
  if (item === undefined) throw new Error('nothing is asked');
  const { result, job } = await world.stores.reviews.change(world.job.id, (state) =>
    answerItem(state, {
      itemId: item.id,
      action: given.action,
      answer: given.text ?? null,
      comment: given.comment ?? '',
      identity: given.by ?? 'lead-1',
      newId: randomUUID,
    }),
  );
  if (result.kind !== 'settled') throw new Error(result.message);
  return job;
}

/** Claims the woken run, as a worker does, and executes it. */
export const goOn = async (world: World): Promise<RunJobResult> => world.runClaim(await world.claim());

/** Types of the events of a run, in the order of the log. */
export const typesOf = async (world: World): Promise<readonly string[]> =>
  (await world.events()).map((event) => event.type);
