import type { App } from '@kit-run/kit/command';
import { CHANGES, toWireChange } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { JOB_PARAMS } from './job-schemas.js';

interface ChangesRoute {
  readonly Params: { readonly id: string };
  readonly Querystring: { readonly agent?: string };
}

/** What harnesses changed, file by file, and who signed it. */
export function addChangeRoute(
  server: FastifyInstance,
  { changes, workspace }: { readonly changes: Pick<App['changes'], 'read'>; readonly workspace: string },
): void {
  server.get<ChangesRoute>(
    '/jobs/:id/changes',
    {
      config: { tier: 'read', mayAnswer: [409, 503] },
      schema: {
        summary: 'Reads what each harness of a run changed, and who signed it. Takes a unique prefix.',
        params: JOB_PARAMS,
        querystring: { type: 'object', properties: { agent: { type: 'string', minLength: 1 } } },
        response: { 200: CHANGES },
      },
    },
    async ({ params, query }) => {
      const found = await changes.read({ workspace, run: params.id, agent: query.agent ?? null });
      return {
        run_id: found.job.id,
        changes: found.changes.map(toWireChange),
      };
    },
  );
}
