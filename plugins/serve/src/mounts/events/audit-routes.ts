import type { Served } from '@kit-run/kit/plugin';
import { AUDIT_ROW, arrayOf } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { typeNames } from './names.js';
import type { EventsUses } from './uses.js';

interface AuditRoute {
  readonly Querystring: {
    readonly run_id?: string;
    readonly agent_id?: string;
    readonly topology_id?: string;
    readonly types?: string;
    readonly since?: string;
    readonly before?: string;
    readonly limit: number;
  };
}

/** Names from where to look further back (docs/events.md#reading-the-log). */
const LOOKED_BACK_TO = 'kit-audit-before';

const NAME = { type: 'string', minLength: 1 };
const QUERY = {
  run_id: NAME,
  agent_id: NAME,
  topology_id: NAME,
  types: { ...NAME, description: 'Event types, divided by commas.' },
  since: {
    type: 'string',
    format: 'date-time',
    description: 'Inclusive: tell rows that you have by their event_id. Write `+` of an offset as %2B.',
  },
  before: {
    type: 'string',
    minLength: 1,
    description: 'What `Kit-Audit-Before` of an earlier answer gave: looks further back from there.',
  },
  limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
};

export function auditRoutes(server: FastifyInstance, { app, workspace }: Served<EventsUses>): void {
  server.get<AuditRoute>(
    '/audit',
    {
      config: { tier: 'read' },
      schema: {
        summary: 'Audit rows for people, newest first. `Kit-Audit-Before` says that more may lie further back.',
        querystring: { type: 'object', properties: QUERY },
        response: { 200: arrayOf(AUDIT_ROW) },
      },
    },
    async ({ query }, reply) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const page = await app.events.audit({
        workspace,
        run: query.run_id ?? null,
        agent: query.agent_id ?? null,
        topology: query.topology_id ?? null,
        types: typeNames(query.types),
        since: query.since ?? null,
        before: query.before ?? null,
        limit: query.limit,
        signal: gone.signal,
      });
      if (page.before !== null) reply.header(LOOKED_BACK_TO, page.before);
      return page.rows;
    },
  );
}
