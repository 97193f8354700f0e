import type { JsonObject } from '@kit-run/kit/command';
import { EDIT_REPORT, ENTRY_SAVED, type TypeOf, WORKSPACE_CONFIG } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { type Desk, preconditionsOf, sendTagged } from './artifact-routes.js';
import { ENTRY_BODY, ENTRY_PARAMS, PRECONDITIONS, tagged } from './schemas.js';
import { toWireConfig } from './wire.js';

type ByEntry = { Params: { section: string; entry_id: string } };

const WRITE = { tier: 'admin', mayAnswer: [409, 412, 503] } as const;

/**
 * The sections of the workspace file that are changed entry by entry, and the reload of everything.
 */
export function configRoutes(server: FastifyInstance, { editing, workspace }: Desk): void {
  server.get(
    '/api/workspace/config',
    {
      config: { tier: 'read' },
      schema: {
        summary: 'Credentials, MCP servers and event sinks, without secrets',
        response: { 200: tagged(WORKSPACE_CONFIG) },
      },
    },
    async (_request, reply) => {
      const config = await editing.config({ workspace });
      return sendTagged(reply, config.etag, toWireConfig(config));
    },
  );
  server.put<ByEntry & { Body: JsonObject }>(
    '/api/workspace/config/:section/:entry_id',
    {
      config: WRITE,
      schema: {
        summary: 'Sets an entry of credentials or mcp_servers',
        params: ENTRY_PARAMS,
        headers: PRECONDITIONS,
        body: ENTRY_BODY,
        response: { 200: tagged(ENTRY_SAVED) },
      },
    },
    async (request, reply) => {
      const { section, entry_id: entry } = request.params;
      const { id, etag, report } = await editing.changeEntry({
        workspace,
        section,
        entry,
        value: request.body,
        ...preconditionsOf(request),
      });
      return sendTagged<TypeOf<typeof ENTRY_SAVED>>(reply, etag, {
        saved: true,
        entry: id,
        reloaded: report.valid && report.reloaded,
      });
    },
  );
  server.delete<ByEntry>(
    '/api/workspace/config/:section/:entry_id',
    {
      config: WRITE,
      schema: {
        summary: 'Removes an entry of credentials or mcp_servers',
        params: ENTRY_PARAMS,
        headers: PRECONDITIONS,
        response: { 200: tagged(ENTRY_SAVED) },
      },
    },
    async (request, reply) => {
      const { section, entry_id: entry } = request.params;
      const { id, etag, reloaded } = await editing.removeEntry({
        workspace,
        section,
        entry,
        ...preconditionsOf(request),
      });
      return sendTagged<TypeOf<typeof ENTRY_SAVED>>(reply, etag, { saved: true, entry: id, reloaded });
    },
  );
  for (const path of ['/reload', '/api/reload']) {
    server.post(
      path,
      {
        config: { tier: 'admin', mayAnswer: [503] },
        schema: {
          summary: 'Takes the files of the workspace over as they stand',
          response: { 200: EDIT_REPORT },
        },
      },
      () => editing.reload({ workspace }),
    );
  }
}
