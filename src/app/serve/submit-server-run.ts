import { isKitError, KitError } from '../../domain/errors.js';
import type { Job, RunRequest } from '../../domain/job.js';
import type { Json } from '../../domain/json.js';
import type { Once } from '../../domain/ports/stores.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { isDeeper, MAX_DEPTH } from '../../lib/is-deeper.js';
import { sha256Hex } from '../../lib/sha256.js';
import type { Slots } from '../../worker/slots.js';
import { type Chosen, chooseVersion } from '../canary/choose-version.js';
import type { EntryDeps } from '../entry-events.js';
import type { RunSession } from '../runs/run-session.js';
import { assertApproved, type SessionWork } from '../runs/session-work.js';
import { priorityOf } from '../submit/job-row.js';
import type { PreparedRun } from '../submit/prepare-run.js';
import { type SubmittedRow, submitRun, submitRunOnce } from '../submit/submit-run.js';
import type { ServerRun, SubmittedRun } from './serve-app.js';

/** What a submit of a server needs of the world, as it is when the submit begins. */
export interface SubmitServerDeps extends EntryDeps {
  readonly session: RunSession;
  readonly work: SessionWork;
  readonly place: RunPlace;
  /** 0 <= x < 1. */
  readonly random: () => number;
}

/**
 * Where runs of this process are executed: in its slots, or by workers out of the queue. The kind
 * is the status in which they wait; `maxQueued` null = any number may.
 */
export type RunPlace =
  | { readonly kind: 'pending'; readonly slots: Slots }
  | { readonly kind: 'queued'; readonly maxQueued: number | null };

/**
 * Longest `Retry-After` in seconds; each refusal draws its own, so that callers do not come back
 * together.
 */
const MAX_RETRY_SECONDS = 5;

/** The one way of a run into a server. See `ServeApp.submit`. */
export async function submitServerRun(deps: SubmitServerDeps, run: ServerRun): Promise<SubmittedRun> {
  assertShallow(run);
  const { warning } = priorityOf(run.labels);
  const advice = warning === null ? [] : [warning];
  const once = run.once === null ? null : onceOf(deps.session.workspace.id, run.once, digestOf(run));
  const known = once === null ? null : await deps.stores.jobs.findOnce(once);
  if (known !== null) return { job: known, repeated: true, author: null, warnings: [], advice };
  const request = requestOf(deps, run, await versionOf(deps, run));
  const { kind } = deps.place;
  const prepared = await deps.work.prepare(deps.session, request, { mode: kind === 'queued' ? kind : 'here' });
  if (kind === 'pending') await assertApproved(deps.session, prepared.snapshot, []);
  const { job, repeated } = await write(deps, { prepared, request, once });
  return repeated
    ? { job, repeated, author: null, warnings: [], advice }
    : {
        ...{ job, repeated, author: prepared.author, warnings: prepared.warnings },
        advice: [...advice, ...prepared.advice],
      };
}

interface Written {
  readonly job: Job;
  readonly repeated: boolean;
}

type Writing = { readonly prepared: PreparedRun; readonly request: RunRequest; readonly once: Once | null };

function write(deps: SubmitServerDeps, run: Writing): Promise<Written> {
  switch (deps.place.kind) {
    case 'pending':
      return writeForSlot(deps, deps.place.slots, run);
    case 'queued':
      return writeToQueue(deps, deps.place.maxQueued, run);
  }
}

async function writeForSlot(deps: SubmitServerDeps, slots: Slots, run: Writing): Promise<Written> {
  const slot = slots.reserve();
  if (slot === null) throw noCapacity(deps, slots);
  try {
    const written = await insert(deps, run);
    if (written.repeated) slot.cancel();
    else slot.hand(written.job.id);
    return written;
  } catch (error) {
    slot.cancel();
    throw error;
  }
}

async function writeToQueue(deps: SubmitServerDeps, maxQueued: number | null, run: Writing): Promise<Written> {
  try {
    return await insert(deps, { ...run, queue: { limit: maxQueued === null ? null : { maxQueued } } });
  } catch (error) {
    if (!isKitError(error) || error.code !== 'KIT_QUEUE_FULL') throw error;
    throw new KitError(error.code, error.message, {
      data: { ...error.data, retryAfterSeconds: retryAfter(deps) },
      cause: error,
    });
  }
}

async function insert(deps: SubmitServerDeps, run: Writing & Pick<SubmittedRow, 'queue'>): Promise<Written> {
  const { once } = run;
  return once === null ? { job: await submitRun(deps, run), repeated: false } : submitRunOnce(deps, { ...run, once });
}

/**
 * Before anything walks through what was sent, whichever entry point it came through. Throws
 * KIT_REQUEST_INVALID.
 */
function assertShallow({ input, attachments }: ServerRun): void {
  const parts = Object.entries({ input, attachments }).filter(([, value]) => isDeeper(value));
  if (parts.length === 0) return;
  const message = `is nested more than ${MAX_DEPTH} levels deep`;
  const errors = parts.map(([name]) => ({ pointer: `/body/${name}`, message, code: 'value' }));
  throw new KitError('KIT_REQUEST_INVALID', errors.map(({ pointer }) => `${pointer} ${message}`).join('; '), {
    data: { errors },
  });
}

/** Several workspaces may share one database: the key of a caller is one of this workspace. */
const onceOf = (workspaceId: string, { clientId, ...key }: NonNullable<ServerRun['once']>, digest: string): Once => ({
  ...key,
  clientId: `${workspaceId}/${clientId}`,
  digest,
});

/**
 * What is asked; who asks and how often belongs to the key. What is said beside it (the trace, the
 * turn of a conversation) makes no other request of it.
 */
function digestOf(run: ServerRun): string {
  const { workspace, once, id, submittedBy, source, traceParent, conversation, ...said } = run;
  // Attachments and the like are what a caller sent as JSON.
  return sha256Hex(canonicalJson({ ...said, maxSteps: said.maxSteps ?? null } as unknown as Json));
}

/**
 * A bare name goes through its route, once a run; a version that is not there falls back to the
 * highest.
 */
async function versionOf({ ids, session, stores }: SubmitServerDeps, run: ServerRun): Promise<Chosen> {
  const { workspace } = session;
  const chosen = await chooseVersion({ ids, openStores: async () => stores }, workspace, run);
  return workspace.topologies.has(chosen.topology) ? chosen : { topology: run.topology };
}

function requestOf({ session }: SubmitServerDeps, run: ServerRun, chosen: Chosen): RunRequest {
  const { workspace, once, ...said } = run;
  const { jobTimeoutMs } = session.workspace;
  return {
    ...said,
    ...chosen,
    timeoutMs: Math.min(jobTimeoutMs, said.asked?.timeoutMs ?? jobTimeoutMs),
    // A server goes on by itself after a crash (docs/design/journal.md#takeover).
    recover: 'auto',
  };
}

const retryAfter = ({ random }: SubmitServerDeps): number => 1 + Math.floor(random() * MAX_RETRY_SECONDS);

function noCapacity(deps: SubmitServerDeps, slots: Slots): KitError {
  const retryAfterSeconds = retryAfter(deps);
  return new KitError('KIT_CAPACITY', `all ${slots.max} slots of this server are taken (server.jobs.max_concurrent)`, {
    hint: `Try again in ${retryAfterSeconds} s.`,
    data: { retryAfterSeconds, maxConcurrent: slots.max },
  });
}
