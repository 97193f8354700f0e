import {
  toWireComprehension,
  toWireGap,
  toWireGapRecords,
  toWireSpan,
  toWireUsageReport,
  toWireUsageSummary,
  USAGE_KEYS,
} from '@kit-run/kit/command';
import { COMPREHENSION, GAP_RECORDS, GAPS, SPAN, USAGE_REPORT, USAGE_SUMMARY, type WireGaps } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { answers } from './schema-words.js';
import type { ServedInfo } from './used.js';

interface Look {
  readonly fast_approve_seconds: number;
  readonly younger_than_ms: number;
  readonly limit: number;
}

const DAYS_30_MS = 30 * 24 * 60 * 60 * 1000;
const LOOK = {
  ...answers('Approvals that came faster than anybody can read.', COMPREHENSION),
  querystring: {
    type: 'object',
    properties: {
      fast_approve_seconds: { type: 'number', exclusiveMinimum: 0, maximum: 86_400, default: 20 },
      younger_than_ms: {
        type: 'integer',
        minimum: 0,
        default: DAYS_30_MS,
        description: 'Approvals within so many milliseconds until now.',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 1000,
        default: 1000,
        description: 'Newest of these approvals to look at.',
      },
    },
  },
} as const;

const RECORDS = answers('Tools that agents called and do not hold, the one seen last first.', GAP_RECORDS);

const ALL_GAPS = answers(
  'Gaps of all topologies together, the most frequent first, and what is wired and never fired.',
  GAPS,
);

interface UsageAsk {
  readonly by: (typeof USAGE_KEYS)[number];
  readonly topology?: string;
  readonly younger_than_ms?: number;
  readonly since?: string;
  readonly until?: string;
}

const TIME = { type: 'string', format: 'date-time', description: 'ISO 8601, inclusive.' } as const;
const USAGE = {
  ...answers('Tokens and cost of every run: the sum, and the list that `by` asks for.', USAGE_REPORT),
  querystring: {
    type: 'object',
    properties: {
      by: { type: 'string', enum: USAGE_KEYS, default: 'model', description: 'What is summed; days are of UTC.' },
      topology: { type: 'string', minLength: 1, maxLength: 256, description: 'Every version of this topology.' },
      younger_than_ms: { type: 'integer', minimum: 0, description: 'Calls within so many milliseconds until now.' },
      since: TIME,
      until: TIME,
    },
  },
};

const ofParam = (name: string, description: string) => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'string', description } },
});
const JOB_USAGE = {
  ...answers('Tokens and cost of one run.', USAGE_SUMMARY),
  params: ofParam('job_id', 'Whole id of a run.'),
};

const TRACE = {
  summary: 'Who called what in a run, as a tree of spans.',
  params: ofParam('run_id', 'Id of a run, or a unique prefix.'),
  response: { 200: { description: 'The span of the run.', $ref: 'TraceSpan#' } },
};

/** What the log says of runs: approvals, gaps, usage, traces. */
export function logRoutes(server: FastifyInstance, { app, workspace }: ServedInfo): void {
  server.addSchema(SPAN);
  server.get<{ Querystring: Look }>('/comprehension', { schema: LOOK }, async ({ query }) =>
    toWireComprehension(
      await app.info.comprehension({
        workspace,
        fastApproveSeconds: query.fast_approve_seconds,
        youngerThanMs: query.younger_than_ms,
        limit: query.limit,
      }),
    ),
  );
  server.get('/gaps', { schema: RECORDS }, async () => toWireGapRecords(await app.observe.gaps({ workspace })));
  server.get('/gaps/all', { schema: ALL_GAPS }, async (): Promise<WireGaps> => {
    const [gaps, inert] = await Promise.all([app.observe.gaps({ workspace }), app.observe.inert({ workspace })]);
    return {
      gaps: gaps.map(toWireGap),
      inert: inert.map(({ topology, runs, agent, skill }) => ({ topology, runs, agent, skill })),
    };
  });
  server.get<{ Querystring: UsageAsk }>('/usage', { schema: USAGE }, async ({ query }) =>
    toWireUsageReport(
      await app.info.usage({
        workspace,
        by: query.by,
        topology: query.topology ?? null,
        youngerThanMs: query.younger_than_ms ?? null,
        since: query.since ?? null,
        until: query.until ?? null,
      }),
    ),
  );
  server.get<{ Params: { job_id: string } }>('/usage/:job_id', { schema: JOB_USAGE }, async ({ params }) =>
    toWireUsageSummary(await app.info.usageOf({ workspace, job: params.job_id })),
  );
  server.get<{ Params: { run_id: string } }>(
    '/observability/runs/:run_id/trace',
    { schema: TRACE },
    async ({ params }) => toWireSpan(await app.info.trace({ workspace, run: params.run_id })),
  );
}
