import { describeNotYet, misfitsAt, type ServeApp, toWireJob } from '@kit-run/kit/command';
import { SUBMITTED_JOB } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { RUN_BODY_BYTES, RUN_REQUEST, type RunRoute, serverRunOf } from './run-request.js';

/** `POST /run/{topology}`: answered when the job is committed. */
export function addSubmitRoute(
  server: FastifyInstance,
  { serve, workspace }: { readonly serve: ServeApp; readonly workspace: string },
): void {
  server.post<RunRoute>(
    '/run/:topology',
    {
      bodyLimit: RUN_BODY_BYTES,
      config: { tier: 'run', mayAnswer: [409, 429, 503] },
      schema: {
        summary: 'Submits a run.',
        params: {
          type: 'object',
          required: ['topology'],
          properties: { topology: { type: 'string', description: '`name` or `name@version`.' } },
        },
        headers: {
          type: 'object',
          properties: {
            'idempotency-key': {
              type: 'string',
              description: 'The same key and body within 24 hours answers the same job.',
            },
          },
        },
        body: RUN_REQUEST,
        response: { 200: SUBMITTED_JOB },
      },
    },
    async (request, reply) => {
      const { job, author, warnings, advice } = await serve
        .submit(serverRunOf(request, workspace))
        .catch(misfitsAt('/body/input'));
      reply.header('location', `/jobs/${job.id}`);
      return {
        ...toWireJob(job),
        author_notice: author === null ? null : author.message,
        warnings: [...warnings.map(describeNotYet), ...advice],
      };
    },
  );
}
