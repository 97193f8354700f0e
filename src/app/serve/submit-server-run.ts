import { KitError } from '../../domain/errors.js';
import type { RunRequest } from '../../domain/job.js';
import type { Json } from '../../domain/json.js';
import type { Once, Stores } from '../../domain/ports/stores.js';
import type { Clock, Ids } from '../../domain/ports/system.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { isDeeper, MAX_DEPTH } from '../../lib/is-deeper.js';
import { sha256Hex } from '../../lib/sha256.js';
import type { Slots } from '../../worker/slots.js';
import { type Chosen, chooseVersion } from '../canary/choose-version.js';
import type { RunSession } from '../runs/run-session.js';
import { assertApproved, type SessionWork } from '../runs/session-work.js';
import type { PreparedRun } from '../submit/prepare-run.js';
import { submitRun, submitRunOnce } from '../submit/submit-run.js';
import type { ServerRun, SubmittedRun } from './serve-app.js';

/** What a submit of a server needs of the world, as it is when the submit begins. */
export interface SubmitServerDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly session: RunSession;
  readonly work: SessionWork;
  readonly stores: Stores;
  readonly slots: Slots;
  /** 0 <= x < 1. */
  readonly random: () => number;
}

/** Longest `Retry-After` in seconds; each refusal draws its own, so that callers do not come back together (gaps A5). */
const MAX_RETRY_SECONDS = 5;

/** The one way of a run into a server. See `ServeApp.submit`. */
export async function submitServerRun(deps: SubmitServerDeps, run: ServerRun): Promise<SubmittedRun> {
  assertShallow(run);
  const once = run.once === null ? null : onceOf(deps.session.workspace.id, run.once, digestOf(run));
  const known = once === null ? null : await deps.stores.jobs.findOnce(once);
  if (known !== null) return { job: known, repeated: true, author: null, warnings: [] };
  const request = requestOf(deps, run, await versionOf(deps, run));
  const prepared = await deps.work.prepare(deps.session, request);
  await assertApproved(deps.session, prepared.snapshot, []);
  return write(deps, { prepared, request, once });
}

async function write(
  deps: SubmitServerDeps,
  run: { readonly prepared: PreparedRun; readonly request: RunRequest; readonly once: Once | null },
): Promise<SubmittedRun> {
  const slot = deps.slots.reserve();
  if (slot === null) throw noCapacity(deps);
  const { author, warnings } = run.prepared;
  try {
    const { once } = run;
    const { job, repeated } = once === null ? { job: await submitRun(deps, run), repeated: false } : await submitRunOnce(deps, { ...run, once });
    if (repeated) slot.cancel();
    else slot.hand(job.id);
    return { job, repeated, author: repeated ? null : author, warnings: repeated ? [] : warnings };
  } catch (error) {
    slot.cancel();
    throw error;
  }
}

/** Before anything walks through what was sent, whichever door it came through. Throws KIT_REQUEST_INVALID. */
function assertShallow({ input, attachments }: ServerRun): void {
  const parts = Object.entries({ input, attachments }).filter(([, value]) => isDeeper(value));
  if (parts.length === 0) return;
  const message = `is nested more than ${MAX_DEPTH} levels deep`;
  const errors = parts.map(([name]) => ({ pointer: `/body/${name}`, message, code: 'value' }));
  throw new KitError('KIT_REQUEST_INVALID', errors.map(({ pointer }) => `${pointer} ${message}`).join('; '), { data: { errors } });
}

/** Several workspaces may share one database: the key of a caller is one of this workspace. */
const onceOf = (workspaceId: string, { clientId, key }: NonNullable<ServerRun['once']>, digest: string): Once => ({
  clientId: `${workspaceId}/${clientId}`,
  key,
  digest,
});

/** What is asked; who asks and how often belongs to the key. */
function digestOf(run: ServerRun): string {
  const { topology, input, attachments, correlationId, labels, supersedes, maxSteps } = run;
  // Attachments are what a caller sent as JSON.
  const asked = { topology, input, attachments: attachments as unknown as Json, correlationId, labels, supersedes, maxSteps: maxSteps ?? null };
  return sha256Hex(canonicalJson(asked));
}

/** A bare name goes through its route, once a run; a version that is not there falls back to the highest (http-and-cli.md 1.1). */
async function versionOf({ ids, session, stores }: SubmitServerDeps, run: ServerRun): Promise<Chosen> {
  const { workspace } = session;
  const chosen = await chooseVersion({ ids, openStores: async () => stores }, workspace, run);
  return workspace.topologies.has(chosen.topology) ? chosen : { topology: run.topology };
}

function requestOf({ session }: SubmitServerDeps, run: ServerRun, chosen: Chosen): RunRequest {
  const { input, attachments, correlationId, labels, supersedes, submittedBy, source, maxSteps, traceParent } = run;
  return {
    ...chosen,
    input,
    attachments,
    correlationId,
    labels,
    supersedes,
    submittedBy,
    source,
    timeoutMs: session.workspace.jobTimeoutMs,
    // A server goes on by itself after a crash (journal.md 5.3).
    recover: 'auto',
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(traceParent === undefined ? {} : { traceParent }),
    ...(run.id === undefined ? {} : { id: run.id }),
  };
}

function noCapacity({ slots, random }: SubmitServerDeps): KitError {
  const retryAfterSeconds = 1 + Math.floor(random() * MAX_RETRY_SECONDS);
  return new KitError('KIT_CAPACITY', `all ${slots.max} slots of this server are taken (server.jobs.max_concurrent)`, {
    hint: `Try again in ${retryAfterSeconds} s.`,
    data: { retryAfterSeconds, maxConcurrent: slots.max },
  });
}
