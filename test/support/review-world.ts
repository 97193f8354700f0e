import { createReviewApp } from '../../src/app/review/create-review-app.js';
import type { ReviewDeps } from '../../src/app/review/deps.js';
import type { ReviewApp } from '../../src/app/review/review-app.js';
import type { RunEvent } from '../../src/domain/events.js';
import type { ApprovalPolicy, GateEvidence, GateRound, ReviewItem, RoleDirectory } from '../../src/domain/gates.js';
import type { Job, Submitter } from '../../src/domain/job.js';
import { openRound } from '../../src/govern/approval/open-round.js';
import { policyDigest } from '../../src/govern/approval/policy-digest.js';
import { canonicalJson } from '../../src/lib/canonical-json.js';
import { sha256Hex } from '../../src/lib/sha256.js';
import { gateOpenedEvents } from './gate-opened-events.js';
import { askWrite, itemOf, openWrite, parkWrite } from './review-samples.js';
import { claimOf, fenceOf, HERE, newJob, startedEvent } from './store-samples.js';
import { createManualClock, openSqliteWorld, type SqliteWorld } from './store-world.js';

/** A registry that a test changes between two decisions. */
export interface Registry {
  roles: RoleDirectory['roles'];
  identities: RoleDirectory['identities'];
}

export const TEAM: Registry = {
  roles: [
    { id: 'qa', members: ['qa-1', 'qa-2'], scopes: ['release:sign'] },
    { id: 'ops', members: ['ops-1', 'both'], scopes: ['release:sign'] },
    { id: 'lead', members: ['boss'], scopes: ['release:sign'] },
  ],
  identities: [{ id: 'qa-1', aliases: ['quinn@example.org'] }],
};

export const POLICY: ApprovalPolicy = {
  rules: [{ scope: 'release:sign', roles: ['qa', 'ops'], quorum: 'all', covers: null }],
  excludeAuthor: true,
  onRevision: 'reset_all',
  minDistinctApprovers: null,
  expiry: null,
};

const EVIDENCE: GateEvidence = {
  retries: 0,
  escalated: false,
  failedLayers: [],
  critique: null,
  judge: null,
  findings: [],
  diffSha256: null,
};

/** What a gate is opened with; everything else is that of a plain one. */
export interface GateText {
  readonly policy?: ApprovalPolicy;
  readonly text?: string | Uint8Array;
  readonly evidence?: Partial<GateEvidence>;
  readonly agent?: string;
}

/** The use cases over a real store, a clock that the test moves and a registry that it edits. */
export interface ReviewWorld {
  readonly app: ReviewApp;
  readonly sqlite: SqliteWorld;
  readonly registry: Registry;
  /** Fails from now on, as a broken role file does. */
  breakRoles(error: Error): void;
  elapse(ms: number): void;
  /** A run that executes, claimed by somebody far away. */
  run(over?: { readonly submittedBy?: Submitter; readonly events?: readonly RunEvent[] }): Promise<Job>;
  /** Opens the next round of a gate of the run, as the engine does. */
  open(job: Job, of?: GateText): Promise<GateRound>;
  ask(job: Job, over?: Partial<ReviewItem>): Promise<ReviewItem>;
  park(job: Job, waitingOn: readonly string[], autoResume?: boolean): Promise<void>;
  /** A run that waits at one gate. */
  parked(of?: GateText): Promise<{ readonly job: Job; readonly gate: GateRound }>;
  typesOf(jobId: string): Promise<readonly string[]>;
  dispose(): Promise<void>;
}

export const AUTHOR: Submitter = { identity: 'dana', assurance: 'authenticated' };

export async function openReviewWorld(over: Partial<ReviewDeps> = {}): Promise<ReviewWorld> {
  const clock = createManualClock();
  const sqlite = await openSqliteWorld({ clock });
  const { ids } = sqlite;
  const registry: Registry = structuredClone(TEAM);
  let broken: Error | null = null;
  const readRoles = async (): Promise<RoleDirectory> => {
    if (broken !== null) throw broken;
    const content = structuredClone(registry);
    return { ...content, digest: sha256Hex(canonicalJson(content)) };
  };
  const app = createReviewApp({
    clock,
    ids,
    host: HERE,
    openStores: async () => sqlite.stores,
    offers: async () => ({ plugins: {}, adapters: {} }),
    readRoles,
    loadWorkspace: () => Promise.reject(new Error('no workspace here')),
    signer: async () => null,
    maskOf: async () => (text) => text,
    ...over,
  });
  const commit = (job: Job, write: Parameters<typeof sqlite.stores.runs.commit>[1][number]) =>
    sqlite.stores.runs.commit(fenceOf(job), [write]);
  const run: ReviewWorld['run'] = ({ submittedBy = AUTHOR, events } = {}) =>
    sqlite.stores.jobs.insert(
      newJob(ids.jobId(), { submittedBy }),
      'pending',
      events ?? [startedEvent(ids.uuid())],
      claimOf(),
    );
  const open: ReviewWorld['open'] = async (
    job,
    { policy = POLICY, text = 'the draft', evidence = {}, agent = 'writer' } = {},
  ) => {
    const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
    const { sha256, ref } = await sqlite.stores.artifacts.put({
      correlation: job.id,
      runId: job.id,
      name: agent,
      mediaType: 'text/plain',
      bytes,
    });
    const state = await sqlite.stores.reviews.state(job.id);
    if (state === null) throw new Error('no run');
    const round = openRound(state, {
      gateId: `${job.id}:${agent}`,
      agentId: agent,
      activation: `root/c0:${agent}`,
      stepKey: `root/c0:${agent}/g${state.gates.length}`,
      funnelId: 'sign-off',
      topologyId: job.topology,
      artifactRef: `${ref}#${sha256.slice(0, 12)}`,
      sha256,
      mediaType: 'text/plain',
      policy,
      policyDigest: policyDigest(policy),
      evidence: { ...EVIDENCE, ...evidence },
      parts: {},
      roles: await readRoles(),
    });
    if ('failed' in round) throw new Error(round.failed);
    await commit(job, openWrite(round.opening, gateOpenedEvents(ids.uuid, round.opening)));
    return round.opening.gate;
  };
  const park: ReviewWorld['park'] = async (job, waitingOn, autoResume = true) => {
    await commit(job, parkWrite(waitingOn, ids.uuid(), { autoResume }));
  };
  return {
    app,
    sqlite,
    registry,
    breakRoles: (error) => {
      broken = error;
    },
    elapse: (ms) => clock.advance(ms),
    run,
    open,
    ask: async (job, with_ = {}) => {
      const item = itemOf(job.id, `ask-${ids.jobId()}`, with_);
      await commit(job, askWrite([item]));
      return item;
    },
    park,
    parked: async (of) => {
      const job = await run();
      const gate = await open(job, of);
      await park(job, [gate.gateId]);
      return { job, gate };
    },
    typesOf: async (jobId) => (await sqlite.stores.events.readRun(jobId, 0, 1_000)).map((event) => event.type),
    dispose: () => sqlite.dispose(),
  };
}

/** `code: message` of a refusal; what else was thrown as it is. */
export async function refusalOf(
  promise: Promise<unknown>,
): Promise<{ readonly code: string; readonly message: string; readonly hint: string }> {
  const error: unknown = await promise.then(
    () => new Error('nothing was refused'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw new Error(String(error));
  const { code, hint } = error as Error & { readonly code?: string; readonly hint?: string };
  return { code: code ?? '', message: error.message, hint: hint ?? '' };
}
