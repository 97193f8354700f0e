import type { Served } from '@kit-run/kit/plugin';
import { arrayOf, BOOLEAN, closed, LOG_ENTRY, STRING } from '@kit-run/kit/wire';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { typeNames } from './names.js';
import type { EventsUses } from './uses.js';

interface LogRoute {
  readonly Querystring: {
    readonly after?: string;
    readonly types?: string;
    readonly run_id?: string;
    readonly limit: number;
    readonly wait?: number;
  };
}

const QUERY = {
  after: { type: 'string', description: 'A cursor as it was given; the page begins after it. Absent: from the start.' },
  types: { type: 'string', minLength: 1, description: 'Event types, divided by commas.' },
  run_id: { type: 'string', minLength: 1 },
  limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
  wait: {
    type: 'number',
    minimum: 0,
    maximum: 60,
    description:
      'Seconds that an empty page waits for its first event. Without `after` the page is empty at once, ' +
      'and its cursor is that of the end.',
  },
};

/** Says that events after the cursor are gone by retention (docs/events.md#reading-the-log). */
const TRUNCATED = 'kit-log-truncated';

/** Aborts when the reader has gone, or the server stops. */
function goneOrClosing(reply: FastifyReply, closing: AbortSignal): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, closing]);
}

export function logRoutes(server: FastifyInstance, { app, workspace, closing }: Served<EventsUses>): void {
  server.get<LogRoute>(
    '/events',
    {
      config: { tier: 'read' },
      schema: {
        summary: 'The log, oldest first. Every event has its cursor; an empty page gives back the one that was sent.',
        querystring: { type: 'object', properties: QUERY },
        response: { 200: closed({ events: arrayOf(LOG_ENTRY), next_cursor: STRING, has_more: BOOLEAN }) },
      },
    },
    async ({ query }, reply) => {
      const { after, run_id: run, limit, wait } = query;
      const asked = { workspace, after: after ?? null, types: typeNames(query.types), run: run ?? null, limit };
      const page =
        wait === undefined
          ? await app.events.read(asked)
          : await app.events.awaitPage({ ...asked, waitMs: wait * 1000, signal: goneOrClosing(reply, closing) });
      if (page.isTruncated) reply.header(TRUNCATED, 'true');
      return { events: page.entries, next_cursor: page.nextCursor, has_more: page.hasMore };
    },
  );
}
