import { KitError } from '../domain/errors.js';
import type { Job } from '../domain/job.js';
import { listOf } from '../lib/read-json.js';
import { fromWireJob } from '../view/schemas/job.js';
import type { RemoteClient } from './remote-client.js';

/** What every use case over a server stands on. */
export interface RemoteContext {
  readonly client: RemoteClient;
  /** Resolves after so many milliseconds, or when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A new id of a request that may be sent twice. */
  readonly newKey: () => string;
}

/** The whole id of a run, as far as a word shows that. */
export const isWholeId = (word: string): boolean => /^[0-9a-f]{12}$/.test(word);

/**
 * The id of a run that is named by it or by a unique prefix: a whole one costs no request, and the
 * server refuses it where it knows none. Throws as `findRun`.
 */
export const idOf = async (context: RemoteContext, run: string): Promise<string> =>
  isWholeId(run) ? run : (await findRun(context, run)).id;

/** A run by its id or a unique prefix of it. Throws KIT_JOB_UNKNOWN, KIT_JOB_ID_AMBIGUOUS. */
export async function findRun({ client }: RemoteContext, run: string): Promise<Job> {
  return jobIn(
    await client.read(client.http.GET('/jobs/{id}', { params: { path: { id: run }, query: { prefix: true } } })),
  );
}

/** A job that has an id, or KIT_SERVER_ANSWER: everything else of it may be missing. */
export function jobIn(value: unknown): Job {
  const job = fromWireJob(value);
  if (job.id === '') throw new KitError('KIT_SERVER_ANSWER', 'the server tells of a run without an id');
  return job;
}

/** A page of a list of jobs, the newest first. */
export async function listRuns(
  { client }: RemoteContext,
  query: {
    readonly limit?: number;
    readonly beforeId?: string;
    readonly status?: string;
    readonly topology?: string;
  },
): Promise<readonly Job[]> {
  const { limit, beforeId, status, topology } = query;
  const asked = {
    ...(limit === undefined ? {} : { limit }),
    ...(beforeId === undefined ? {} : { before: beforeId }),
    ...(status === undefined ? {} : { status }),
    ...(topology === undefined ? {} : { topology }),
  };
  return listOf(await client.read(client.http.GET('/jobs', { params: { query: asked } }))).map(jobIn);
}
