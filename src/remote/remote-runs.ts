import type { RunsApp, StartRun } from '../app/runs/runs-app.js';
import { waitWords } from '../app/runs/wait-words.js';
import type { StopReport } from '../app/stop-job.js';
import { KitError } from '../domain/errors.js';
import { isTerminal, type Job } from '../domain/job.js';
import { fieldsOf, isTrueAt, maybeTextAt, textAt, textsAt } from '../lib/read-json.js';
import { findRun, idOf, jobIn, listRuns, type RemoteContext } from './remote-context.js';
import { remoteHandle, type TakenRun } from './remote-handle.js';

type Remote = Pick<RunsApp, 'start' | 'introduce' | 'resume' | 'retry' | 'goOn' | 'stop'>;

/** Runs of a server: it executes them, and whoever asked looks on. */
export function remoteRuns(context: RemoteContext): Remote {
  const { client } = context;
  const { http, read } = client;
  return {
    start: async (start) =>
      remoteHandle(
        context,
        // Whoever named the run has it from the server, which took it with a turn or a firing.
        start.id !== undefined
          ? { job: await findRun(context, start.id), author: null, advice: [] }
          : await submit(context, start),
      ),
    // Nothing of it starts here.
    introduce: async () => null,
    resume: async ({ job, topology, trust, anew }) => {
      refuseTrust(trust);
      const id = job === null ? (await lastToResume(context, topology)).id : await idOf(context, job);
      const params = { path: { id }, ...(anew === true ? { query: { anew } } : {}) };
      const resumed = await read(http.POST('/jobs/{id}/resume', { params }));
      return remoteHandle(context, { job: jobIn(resumed), author: null, advice: [] });
    },
    retry: async ({ job, trust, repeatPruned }) => {
      refuseTrust(trust);
      const id = await idOf(context, job);
      const params = { path: { id }, query: { repeat_pruned: repeatPruned } };
      const fields = fieldsOf(await read(http.POST('/jobs/{id}/retry', { params })));
      const made = await findRun(context, textAt(fields, 'job_id'));
      if (isTrueAt(fields, 'already_retried')) return { kind: 'there', job: made };
      const handle = remoteHandle(context, { job: made, author: null, advice: [] });
      return { kind: 'begun', handle, gates: textsAt(fields, 'asked_anew') };
    },
    goOn: async ({ job }) => {
      const found = await findRun(context, job);
      return { kind: 'left', job: found, why: whatBecomesOf(found) };
    },
    stop: async ({ job }) => {
      const id = await idOf(context, job);
      const fields = fieldsOf(await read(http.POST('/jobs/{id}/stop', { params: { path: { id } } })));
      return stopped(await findRun(context, id), isTrueAt(fields, 'already_requested'));
    },
  };
}

/** Who takes a run up after a decision; one that still waits for people goes on with nobody. */
function whatBecomesOf(job: Job): string {
  const { status, waitingOn } = job;
  if (isTerminal(status)) return 'the server has executed the rest of it';
  if (status === 'deferred' && waitingOn.length > 0) return waitWords(job);
  if (status === 'running') return 'the server goes on with it';
  // Which of the servers and workers that is, the answer does not tell.
  return 'whoever has what it needs goes on with it';
}

function stopped(job: Job, alreadyRequested: boolean): StopReport {
  if (isTerminal(job.status)) return { job, alreadyRequested, outcome: 'finished' };
  return { job, alreadyRequested, outcome: job.status === 'stopped' ? 'stopped' : 'requested' };
}

/** The same key for every try: however often it is sent, one run comes of it. */
async function submit(context: RemoteContext, start: StartRun): Promise<TakenRun> {
  refuseTrust(start.trust);
  refuseHere(start);
  const { http, read } = context.client;
  const { topology, input, attachments, traceParent } = start;
  const headers = {
    'idempotency-key': context.newKey(),
    ...(traceParent === undefined ? {} : { traceparent: traceParent }),
  };
  const fields = fieldsOf(
    await read(
      http.POST('/run/{topology}', {
        params: { path: { topology } },
        headers,
        body: {
          input: input as never,
          attachments: attachments.map(({ path, data, name }) => ({
            ...(path === undefined ? {} : { path }),
            ...(data === undefined ? {} : { data }),
            ...(name === undefined ? {} : { name }),
          })),
          ...saidBeside(start),
        },
      }),
    ),
  );
  const job = jobIn(fields);
  const notice = maybeTextAt(fields, 'author_notice');
  const author =
    notice === null
      ? null
      : {
          identity: job.submittedBy.identity,
          message: notice,
          hint: 'Submit with a key or token of a person of the role registry.',
          funnels: [],
        };
  return { job, author, advice: textsAt(fields, 'warnings') };
}

/**
 * What is said of a run beside its input, as the body of a request spells it: every member but
 * those of its own spelling, and those that entry points inside of kit alone use.
 */
function saidBeside(start: StartRun): Readonly<Record<string, unknown>> {
  const { workspace, trust, patience, cassette, timeoutMs, submittedBy, source, ...request } = start;
  const { id, topology, input, attachments, traceParent, route, callerJobId, asked, ...run } = request;
  const { judge, conversation, answer, remembers, ...said } = run;
  return Object.fromEntries(Object.entries(said).map(([name, value]) => [snakeCase(name), value]));
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What the process that executes a run takes, and no request. Throws KIT_REMOTE_UNSUPPORTED. */
function refuseHere({ timeoutMs, patience, cassette }: StartRun): void {
  const flag =
    cassette !== undefined
      ? `--${cassette.kind}`
      : timeoutMs !== null
        ? '--timeout'
        : typeof patience === 'number'
          ? '--patience'
          : null;
  if (flag === null) return;
  throw new KitError(
    'KIT_REMOTE_UNSUPPORTED',
    `${flag} says how this machine executes a run, and a server executes it`,
    {
      hint: `Leave out ${flag}; the settings of the server hold.`,
    },
  );
}

function refuseTrust(trust: readonly string[]): void {
  if (trust.length === 0) return;
  throw new KitError('KIT_REMOTE_UNSUPPORTED', 'adapters are approved on the machine that starts them', {
    hint: 'Whoever operates the server approves it there: kit adapters approve',
  });
}

/** The newest that can go on. Throws KIT_NOTHING_TO_RESUME. */
async function lastToResume(context: RemoteContext, topology: string | null): Promise<Job> {
  const query = { status: 'stopped,deferred', limit: 1, ...(topology === null ? {} : { topology }) };
  const [newest] = await listRuns(context, query);
  if (newest === undefined)
    throw new KitError('KIT_NOTHING_TO_RESUME', `no run${topology === null ? '' : ` of ${topology}`} can go on`);
  return newest;
}
