import { type JobsApp, toWireEvent, toWireJob } from '@kit-run/kit/command';
import { arrayOf, BOOLEAN, closed, INTEGER, JOB, WHOLE_EVENT } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { JOB_PARAMS } from './job-schemas.js';

interface EventsRoute {
  readonly Params: { readonly id: string };
  readonly Querystring: { readonly after_seq: number; readonly limit: number; readonly job: boolean };
}

const PAGE = closed({ events: arrayOf(WHOLE_EVENT), last_seq: INTEGER, has_more: BOOLEAN, job: JOB }, ['job']);

/** The events of one run, page by page: what every view of it is folded from. */
export function addEventRoute(
  server: FastifyInstance,
  { jobs, workspace }: { readonly jobs: Pick<JobsApp, 'events' | 'get'>; readonly workspace: string },
): void {
  server.get<EventsRoute>(
    '/jobs/:id/events',
    {
      config: { tier: 'read', mayAnswer: [503] },
      schema: {
        summary: 'Reads the events of a run, oldest first.',
        params: JOB_PARAMS,
        querystring: {
          type: 'object',
          properties: {
            after_seq: {
              type: 'integer',
              minimum: 0,
              maximum: 1_000_000_000_000,
              default: 0,
              description: 'Goes on after this event: `last_seq` of the page before.',
            },
            limit: { type: 'integer', minimum: 1, maximum: 1000, default: 1000 },
            job: {
              type: 'boolean',
              default: false,
              description: 'Tells the run too, as it was before its events were read.',
            },
          },
        },
        response: { 200: PAGE },
      },
    },
    async ({ params, query }) => {
      const { after_seq: afterSeq, limit } = query;
      const job = query.job ? await jobs.get({ workspace, job: params.id }) : null;
      const { events, hasMore } = await jobs.events({ workspace, job: params.id, afterSeq, limit });
      return {
        events: events.map((event) => toWireEvent(event)),
        last_seq: events.at(-1)?.seq ?? afterSeq,
        has_more: hasMore,
        ...(job === null ? {} : { job: toWireJob(job) }),
      };
    },
  );
}
