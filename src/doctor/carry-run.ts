import type { App } from '../app/app.js';
import type { RunHandle } from '../app/runs/runs-app.js';
import { isKitError } from '../domain/errors.js';
import type { StoredEvent } from '../domain/events.js';
import { LOCAL_AUTH } from '../domain/gates.js';
import { isTerminal, type Job } from '../domain/job.js';
import { AUTHOR, LEASE_SECONDS, SIGNER, TOPOLOGY } from './crash-workspace.js';

/** What carrying the built-in run takes. */
export interface CarryRun {
  readonly workspace: string;
  readonly job: string;
  /** Called with each event that a person who follows the run is shown. */
  readonly onEvent: (event: StoredEvent) => void;
  readonly sleep: (ms: number) => Promise<void>;
}

type Front = Pick<App, 'jobs' | 'runs' | 'review'>;

const LOOK_AGAIN_MS = 100;
/**
 * On a machine that is busy a process may lose its lease before it comes to its next heartbeat:
 * then it takes its turn again.
 */
const GIVE_UP_MS = 12 * LEASE_SECONDS * 1000;

/**
 * Goes on with the run from wherever the process before it was cut off: submits it, signs at its
 * gate, resumes it, until it has ended. What another process holds is waited for: its lease ends.
 * Throws what the use cases throw.
 */
export async function carryRun(app: Front, of: CarryRun): Promise<void> {
  const untilMs = performance.now() + GIVE_UP_MS;
  for (;;) {
    const job = await known(app, of);
    if (job !== null && isTerminal(job.status)) return;
    try {
      const handle = await next(app, of, job);
      if (handle !== null) await follow(handle, of);
    } catch (error) {
      const isHeld = isKitError(error) && (error.code === 'KIT_JOB_NOT_RESUMABLE' || error.code === 'KIT_LEASE_LOST');
      if (!isHeld || performance.now() > untilMs) throw error;
      await of.sleep(LOOK_AGAIN_MS);
    }
  }
}

async function known({ jobs }: Front, { workspace, job }: CarryRun): Promise<Job | null> {
  try {
    return await jobs.get({ workspace, job });
  } catch (error) {
    if (isKitError(error) && error.code === 'KIT_JOB_UNKNOWN') return null;
    throw error;
  }
}

/** Null: a decision was made, and the run has to be looked at again. */
async function next(app: Front, of: CarryRun, job: Job | null): Promise<RunHandle | null> {
  if (job === null) return start(app, of);
  const { items } = await app.review.list({
    workspace: of.workspace,
    kind: null,
    gate: null,
    show: 'pending',
    limit: 1,
    afterId: null,
  });
  const [item] = items;
  if (job.status !== 'deferred' || item === undefined)
    return app.runs.resume({ workspace: of.workspace, job: job.id, topology: null, by: AUTHOR, trust: [] });
  await app.review.resolve({
    workspace: of.workspace,
    item: item.id,
    identity: SIGNER,
    auth: LOCAL_AUTH,
    outcome: 'approve',
    comment: '',
  });
  return null;
}

const start = ({ runs }: Front, { workspace, job }: CarryRun): Promise<RunHandle> =>
  runs.start({
    workspace,
    topology: TOPOLOGY,
    id: job,
    input: 'Answer.',
    attachments: [],
    correlationId: null,
    labels: {},
    supersedes: null,
    submittedBy: { identity: AUTHOR, assurance: 'asserted' },
    timeoutMs: null,
    trust: [],
  });

async function follow(handle: RunHandle, { onEvent }: CarryRun): Promise<void> {
  const over = new AbortController();
  const followed = (async () => {
    for await (const event of handle.events(0, over.signal)) onEvent(event);
  })();
  try {
    await handle.done;
    await followed;
  } finally {
    over.abort('over');
    await followed.catch(() => undefined);
  }
}
