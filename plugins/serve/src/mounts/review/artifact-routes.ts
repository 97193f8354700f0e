import { toWireArtifact, toWireContent } from '@kit-run/kit/command';
import type { Served } from '@kit-run/kit/plugin';
import { ARTIFACTS, CONTENT } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import type { ReviewUses } from './uses.js';

interface ListRoute {
  readonly Querystring: { readonly correlation_id?: string; readonly run_id?: string; readonly limit: number };
}
interface OneRoute {
  readonly Params: { readonly '*': string };
}

const FILTER = {
  correlation_id: { type: 'string', minLength: 1 },
  run_id: { type: 'string', minLength: 1, description: 'Id or a unique prefix of it.' },
  limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
};

export function artifactRoutes(server: FastifyInstance, { app, workspace }: Served<ReviewUses>): void {
  server.get<ListRoute>(
    '/artifacts',
    {
      config: { tier: 'read' },
      schema: {
        summary: 'Artifacts of runs, newest first; `refs` names each once, `artifacts` has a row for every version.',
        querystring: { type: 'object', properties: FILTER },
        response: { 200: ARTIFACTS },
      },
    },
    async ({ query }) => {
      const correlation = query.correlation_id ?? null;
      const run = query.run_id ?? null;
      const records = await app.artifacts.list({ workspace, correlation, run, limit: query.limit });
      return {
        correlation_id: correlation,
        run_id: run,
        refs: [...new Set(records.map((record) => record.ref))],
        artifacts: records.map(toWireArtifact),
      };
    },
  );
  server.get<OneRoute>(
    '/artifacts/*',
    {
      // A digest that fits several versions; a store of a plugin that cannot be reached.
      config: { tier: 'read', mayAnswer: [409, 503] },
      schema: {
        summary: 'The content of an artifact: text, or base64 where it is not UTF-8.',
        params: {
          type: 'object',
          properties: {
            '*': { type: 'string', description: 'The ref, percent-encoded; its slashes may stay as they are.' },
          },
        },
        response: { 200: CONTENT },
      },
    },
    async ({ params }) => {
      const { record, bytes } = await app.artifacts.get({ workspace, ref: params['*'] });
      return { ...toWireArtifact(record), ...toWireContent(bytes) };
    },
  );
}
