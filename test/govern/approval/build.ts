import type {
  ApprovalPolicy,
  ApprovalRule,
  GateEvidence,
  ReviewState,
  RoleDirectory,
} from '../../../src/domain/gates.js';
import type { ReviewChange } from '../../../src/domain/ports/reviews.js';
import { withRows } from '../../../src/govern/approval/change.js';
import { openRound, type RoundRequest } from '../../../src/govern/approval/open-round.js';
import { policyDigest } from '../../../src/govern/approval/policy-digest.js';
import { type ResolveRequest, resolveItem } from '../../../src/govern/approval/resolve-item.js';
import { sha256Hex } from '../../../src/lib/sha256.js';

export const JOB = '0123456789ab';
export const GATE = `${JOB}:writer`;
export const SCOPE = 'release:sign';

export const T0 = '2026-01-05T09:00:00.000Z';
export const at = (minutes: number): string => new Date(Date.parse(T0) + minutes * 60_000).toISOString();

export const counter = (): (() => string) => {
  let next = 0;
  return () => `00000000-0000-4000-8000-${String(++next).padStart(12, '0')}`;
};

/** `{qa: ['ann', 'bob']}` as a registry in which every role confers SCOPE. */
export function registry(
  members: Readonly<Record<string, readonly string[]>>,
  identities: RoleDirectory['identities'] = [],
): RoleDirectory {
  const roles = Object.entries(members).map(([id, names]) => ({ id, members: names, scopes: [SCOPE] }));
  return { roles, identities, digest: sha256Hex(JSON.stringify({ roles, identities })) };
}

export const rule = (
  roles: readonly string[],
  quorum: ApprovalRule['quorum'] = 'all',
  covers: readonly string[] | null = null,
): ApprovalRule => ({
  scope: SCOPE,
  roles,
  quorum,
  covers,
});

export const policy = (rules: readonly ApprovalRule[], rest: Partial<ApprovalPolicy> = {}): ApprovalPolicy => ({
  rules,
  excludeAuthor: true,
  onRevision: 'reset_all',
  minDistinctApprovers: null,
  expiry: null,
  ...rest,
});

export const NO_EVIDENCE: GateEvidence = {
  retries: 0,
  escalated: false,
  failedLayers: [],
  critique: null,
  judge: null,
  findings: [],
  diffSha256: null,
};

export const emptyState = (job: Partial<ReviewState['job']> = {}): ReviewState => ({
  now: T0,
  job: {
    id: JOB,
    status: 'deferred',
    topologyId: 'release',
    submittedBy: { identity: 'eve', assurance: 'authenticated' },
    earlier: [],
    waitingOn: [GATE],
    autoResume: true,
    ...job,
  },
  gates: [],
  items: [],
  decisions: [],
});

/** A job whose reviews are changed step by step, as a store would. */
export class Desk {
  private constructor(
    readonly state: ReviewState,
    readonly roles: RoleDirectory,
    private readonly newId: () => string,
  ) {}

  static of(roles: RoleDirectory, job: Partial<ReviewState['job']> = {}): Desk {
    return new Desk(emptyState(job), roles, counter());
  }

  with(changes: Partial<ReviewState>): Desk {
    return new Desk({ ...this.state, ...changes }, this.roles, this.newId);
  }

  withRoles(roles: RoleDirectory): Desk {
    return new Desk(this.state, roles, this.newId);
  }

  withJob(job: Partial<ReviewState['job']>): Desk {
    return this.with({ job: { ...this.state.job, ...job } });
  }

  request(given: Partial<RoundRequest> & Pick<RoundRequest, 'policy'>): RoundRequest {
    const artifact = given.sha256 ?? sha256Hex('draft');
    return {
      gateId: GATE,
      agentId: 'writer',
      activation: 'root',
      stepKey: 'root/g0',
      funnelId: 'sign-off',
      topologyId: 'release',
      artifactRef: `${JOB}/${JOB}/writer#${artifact.slice(0, 12)}`,
      sha256: artifact,
      mediaType: 'text/plain',
      policyDigest: policyDigest(given.policy),
      evidence: NO_EVIDENCE,
      parts: {},
      roles: this.roles,
      ...given,
    };
  }

  open(given: Partial<RoundRequest> & Pick<RoundRequest, 'policy'>): Desk {
    const opened = openRound(this.state, this.request(given));
    if ('failed' in opened) throw new Error(opened.failed);
    const { gate, items, carried } = opened.opening;
    return this.with(withRows(this.state, { gates: [gate], items, decisions: carried }));
  }

  apply<T>(change: ReviewChange<T>): Desk {
    return this.with(withRows(this.state, change));
  }

  attempt(itemId: string, identity: string, given: Partial<ResolveRequest> = {}) {
    return resolveItem(this.state, {
      itemId,
      identity,
      assurance: 'authenticated',
      isUnauthenticated: false,
      outcome: 'approve',
      comment: '',
      roles: this.roles,
      newId: this.newId,
      sign: null,
      ...given,
    });
  }

  /** The state after an attempt that must be recorded. */
  decide(itemId: string, identity: string, given: Partial<ResolveRequest> = {}): Desk {
    const change = this.attempt(itemId, identity, given);
    if (change.result.kind === 'refused') throw new Error(change.result.message);
    return this.apply(change);
  }

  ids = (): string => this.newId();
}

export const task = (ruleIndex: number, role: string, round = 0): string =>
  `mpa-${GATE}-${ruleIndex}-${role}${round === 0 ? '' : `-r${round}`}`;
