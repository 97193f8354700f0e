import { type App, toWireJob, toWireRun } from '@kit-run/kit/command';
import { RUN_VIEW, type WireRunView } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { JOB_PARAMS, type JobRoute } from './job-schemas.js';

export interface ViewUses {
  readonly observe: Pick<App['observe'], 'trace'>;
  readonly workspace: string;
}

/** A run as its events tell it, folded by the reducer that every view uses. */
export function addViewRoute(server: FastifyInstance, { observe, workspace }: ViewUses): void {
  server.get<JobRoute>(
    '/jobs/:id/view',
    {
      config: { tier: 'read', mayAnswer: [409, 503] },
      schema: {
        summary: 'Reads a run with who called what. Takes a unique prefix.',
        params: JOB_PARAMS,
        response: { 200: RUN_VIEW },
      },
    },
    async ({ params }): Promise<WireRunView> => {
      const { job, line, wallMs, view } = await observe.trace({ workspace, run: params.id });
      return { job: toWireJob(job), line: [...(line ?? [job.id])], wall_ms: wallMs, trace: toWireRun(view) };
    },
  );
}
