import {
  type App,
  type JobQuery,
  type JobStatus,
  KitError,
  type RunFilter,
  type RunSummary,
  toWireFigures,
  toWireJob,
  toWireJobSummary,
} from '@kit-run/kit/command';
import { isObject } from '@kit-run/kit/plugin';
import type { JOB_LIST, TypeOf } from '@kit-run/kit/wire';
import { WHOLE_JOBS } from './job-schemas.js';

/** What a list of jobs is asked with. */
export interface ListQuery {
  readonly correlation_id?: string;
  readonly topology?: string;
  readonly status?: string;
  readonly source?: string;
  readonly before?: string;
  readonly fields?: 'all';
  readonly limit?: number;
  readonly view?: '1';
  readonly id_prefix?: string;
  readonly labels?: string;
  readonly younger_than_ms?: number;
  readonly older_than_ms?: number;
}

const limitOf = ({ limit, fields }: ListQuery): number | undefined =>
  limit ?? (fields === 'all' ? WHOLE_JOBS : undefined);

// The schema lets through nothing but statuses.
const statusesOf = (status: string): readonly JobStatus[] => status.split(',') as JobStatus[];

/** The rows alone. */
export function jobQuery(workspace: string, query: ListQuery): JobQuery {
  const { correlation_id: correlationId, status, topology, source, before } = query;
  const limit = limitOf(query);
  return {
    workspace,
    ...(limit === undefined ? {} : { limit }),
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(topology === undefined ? {} : { topology }),
    ...(status === undefined ? {} : { status: statusesOf(status) }),
    ...(source === undefined ? {} : { source }),
    ...(before === undefined ? {} : { before }),
  };
}

/** Rows with what their events add up to. Throws KIT_REQUEST_INVALID. */
export function statusQuery(workspace: string, query: ListQuery): Parameters<App['observe']['status']>[0] {
  const { correlation_id: correlationId, status, topology, before, labels } = query;
  const { id_prefix: idPrefix, younger_than_ms: youngerThanMs, older_than_ms: olderThanMs } = query;
  const filter: RunFilter = {
    ...(idPrefix === undefined ? {} : { idPrefix }),
    ...(status === undefined ? {} : { status: statusesOf(status) }),
    ...(topology === undefined ? {} : { topology }),
    ...(correlationId === undefined ? {} : { correlationId }),
    ...(labels === undefined ? {} : { labels: labelsOf(labels) }),
    ...(youngerThanMs === undefined ? {} : { youngerThanMs }),
    ...(olderThanMs === undefined ? {} : { olderThanMs }),
    ...(before === undefined ? {} : { beforeId: before }),
  };
  const limit = limitOf(query) ?? DEFAULT_LIMIT;
  return { workspace, limit, ...(Object.keys(filter).length === 0 ? {} : { filter }) };
}

const DEFAULT_LIMIT = 100;

function labelsOf(text: string): Readonly<Record<string, string>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) {
      const entries = Object.entries(value).filter(([, one]) => typeof one === 'string');
      if (entries.length === Object.keys(value).length) return Object.fromEntries(entries) as Record<string, string>;
    }
  } catch {
    // Told below.
  }
  const pointer = '/query/labels';
  throw new KitError('KIT_REQUEST_INVALID', `${pointer} is not JSON object of texts`, {
    data: { errors: [{ pointer, message: 'is not JSON object of texts', code: 'value' }] },
  });
}

/** A row with its `view`. */
export const runToWire = (run: RunSummary, isWhole: boolean): TypeOf<typeof JOB_LIST>[number] => ({
  ...(isWhole ? toWireJob(run.job) : toWireJobSummary(run.job)),
  view: toWireFigures(run),
});
