import { type App, toWireAsked, toWireEvent, toWireJob } from '@kit-run/kit/command';
import { RUN_REPORT, type WireRunReport } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { JOB_PARAMS, type JobRoute } from './job-schemas.js';

/** What a page about one run is made of. */
export function addReportRoute(
  server: FastifyInstance,
  { observe, workspace }: { readonly observe: Pick<App['observe'], 'report'>; readonly workspace: string },
): void {
  server.get<JobRoute>(
    '/jobs/:id/report',
    {
      config: { tier: 'read', mayAnswer: [409, 503] },
      schema: {
        summary: 'Reads a run with everything that `kit report` shows: at most 5,000 events. Takes a unique prefix.',
        params: JOB_PARAMS,
        response: { 200: RUN_REPORT },
      },
    },
    async ({ params }): Promise<WireRunReport> => {
      const report = await observe.report({ workspace, run: params.id });
      return {
        job: toWireJob(report.job),
        line: [...(report.line ?? [report.job.id])],
        wall_ms: report.wallMs,
        request: toWireAsked(report.asked).request,
        events: report.events.map((event) => toWireEvent(event)),
        events_left_out: report.eventsLeftOut,
        diffs: report.diffs,
      };
    },
  );
}
