import {
  type App,
  type JobsApp,
  type ServeApp,
  stopWords,
  toWireJob,
  toWireJobSummary,
  toWireQueueStats,
} from '@kit-run/kit/command';
import { byOf, submitterOf } from '@kit-run/kit/plugin';
import { DIFFS, JOB, JOB_LIST, QUEUE_STATS, RETRY_REPORT, STOP_REPORT } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { jobQuery, type ListQuery, runToWire, statusQuery } from './job-list.js';
import { JOB_PARAMS, type JobRoute, LIST_QUERY, PREFIX_QUERY, RESUME_QUERY, RETRY_QUERY } from './job-schemas.js';

/** What the routes are made over. */
export interface Uses {
  readonly serve: ServeApp;
  readonly jobs: JobsApp;
  readonly observe: Pick<App['observe'], 'status'>;
  readonly workspace: string;
}

interface ListRoute {
  readonly Querystring: ListQuery;
}

const READS = { tier: 'read', mayAnswer: [503] } as const;
const ACTS = { tier: 'run', mayAnswer: [409, 500, 503] } as const;

/**
 * Looking at jobs. `history` stands before `:id`; both lists read the durable store and are the
 * same.
 */
export function addReadRoutes(server: FastifyInstance, { jobs, observe, workspace }: Uses): void {
  const lists = [
    ['/jobs', 'Lists jobs, newest first.'],
    ['/jobs/history', 'Lists every recorded job, newest first.'],
  ] as const;
  for (const [path, summary] of lists)
    server.get<ListRoute>(
      path,
      { config: READS, schema: { summary, querystring: LIST_QUERY, response: { 200: JOB_LIST } } },
      async ({ query }) =>
        query.view === undefined
          ? (await jobs.list(jobQuery(workspace, query))).map(query.fields === 'all' ? toWireJob : toWireJobSummary)
          : (await observe.status(statusQuery(workspace, query))).map((run) => runToWire(run, query.fields === 'all')),
    );
  server.get<JobRoute & { readonly Querystring: { readonly prefix: boolean } }>(
    '/jobs/:id',
    {
      config: { ...READS, mayAnswer: [303, ...READS.mayAnswer], page: '/console/runs/' },
      schema: {
        summary: 'Reads a job.',
        params: JOB_PARAMS,
        querystring: PREFIX_QUERY,
        response: { 200: JOB },
      },
    },
    async ({ params, query }) => {
      const ask = { workspace, job: params.id };
      return toWireJob(query.prefix ? await jobs.find(ask) : await jobs.get(ask));
    },
  );
  server.get<JobRoute>(
    '/jobs/:id/diff',
    {
      config: READS,
      schema: { summary: 'Reads what harnesses of a run changed.', params: JOB_PARAMS, response: { 200: DIFFS } },
    },
    async ({ params }) => {
      const diffs = await jobs.diff({ workspace, job: params.id });
      return { job_id: params.id, diffs, length: Object.values(diffs).reduce((sum, diff) => sum + diff.length, 0) };
    },
  );
  server.get(
    '/queue/stats',
    { config: READS, schema: { summary: 'Reads how the queue does.', response: { 200: QUEUE_STATS } } },
    async () => toWireQueueStats(await jobs.queueStats({ workspace })),
  );
}

/** Going on with jobs, and stopping them. */
export function addControlRoutes(server: FastifyInstance, { serve }: Uses): void {
  server.post<JobRoute & { readonly Querystring: { readonly anew: boolean } }>(
    '/jobs/:id/resume',
    {
      config: ACTS,
      schema: {
        summary: 'Goes on with a deferred or stopped job.',
        params: JOB_PARAMS,
        querystring: RESUME_QUERY,
        response: { 200: JOB },
      },
    },
    async ({ params, query, caller }) =>
      toWireJob(await serve.resume({ job: params.id, ...byOf(caller), anew: query.anew })),
  );
  server.post<JobRoute & { readonly Querystring: { readonly repeat_pruned: boolean } }>(
    '/jobs/:id/retry',
    {
      config: ACTS,
      schema: {
        summary: 'Makes a new job of a failed one, with every finished step taken over. People decide gates anew.',
        params: JOB_PARAMS,
        querystring: RETRY_QUERY,
        response: { 202: RETRY_REPORT },
      },
    },
    async ({ params, query, caller }, reply) => {
      const by = submitterOf(caller);
      const { job, repeated, gates } = await serve.retry({ job: params.id, by, repeatPruned: query.repeat_pruned });
      return reply.code(202).send({ job_id: job.id, status: job.status, already_retried: repeated, asked_anew: gates });
    },
  );
  server.post<JobRoute>(
    '/jobs/:id/stop',
    {
      config: ACTS,
      schema: {
        summary: 'Asks a job to stop; finished ones are left alone.',
        params: JOB_PARAMS,
        response: { 200: STOP_REPORT },
      },
    },
    async ({ params, caller }) => {
      const report = await serve.stop({ job: params.id, ...byOf(caller) });
      const { job, alreadyRequested, outcome } = report;
      const { text, goesOn } = stopWords(report);
      return {
        job_id: job.id,
        status: job.status,
        stop_requested_at: outcome === 'finished' ? null : job.stopRequestedAt,
        already_requested: outcome !== 'finished' && alreadyRequested,
        detail: goesOn ? `${text}; POST /jobs/${job.id}/resume goes on with it` : text,
      };
    },
  );
}
