import type { Served } from '@kit-run/kit/plugin';
import { closed, STRING } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { traceOf } from '../shared/trace-of.js';
import type { EventsUses } from './uses.js';

interface SignalRoute {
  readonly Body: {
    readonly correlation_id: string;
    readonly event: string;
    readonly source_event_id?: string | null;
    readonly mode: 'emit' | 'advance' | 'skip';
  };
}

const MODE = { type: 'string', enum: ['emit', 'advance', 'skip'] };
/** Ids and names are short; the listener keeps none that is longer. */
const NAME = { type: 'string', minLength: 1, maxLength: 1024 };

export function signalRoutes(server: FastifyInstance, { app, workspace }: Served<EventsUses>): void {
  server.post<SignalRoute>(
    '/events/signal',
    {
      config: {
        tier: 'run',
        // Nobody listens, or the one who does failed.
        mayAnswer: [502, 503],
      },
      schema: {
        summary:
          'Hand an event to the application. `advance` and `skip` are for people whose role confers pipeline:advance or pipeline:skip.',
        body: {
          type: 'object',
          required: ['correlation_id', 'event'],
          properties: {
            correlation_id: NAME,
            event: NAME,
            source_event_id: { type: ['string', 'null'], maxLength: 1024 },
            mode: { ...MODE, default: 'emit' },
          },
        },
        response: {
          200: closed({
            delivered: { type: 'boolean', enum: [true] },
            correlation_id: STRING,
            event: STRING,
            mode: MODE,
            source: STRING,
          }),
        },
      },
    },
    async ({ body, caller, headers }) => {
      const sent = await app.events.signal({
        workspace,
        correlationId: body.correlation_id,
        event: body.event,
        sourceEventId: body.source_event_id ?? null,
        mode: body.mode,
        pipeline: null,
        from: { kind: 'caller', identity: caller.clientId, clientName: caller.clientName },
        ...traceOf(headers),
      });
      return {
        delivered: true,
        correlation_id: sent.correlationId,
        event: sent.event,
        mode: sent.mode,
        source: sent.source,
      };
    },
  );
}
