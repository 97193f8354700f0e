import { type JsonObject, toWireEvent, toWireGate, toWireItem, toWireJob, toWireSituation } from '@kit-run/kit/command';
import type { Served } from '@kit-run/kit/plugin';
import type { FastifyInstance } from 'fastify';
import { wordsFor } from '../../server/words-for.js';
import { arrayOf, closed, INTEGER, nullable, STRING, STRINGS, TIMESTAMP } from '../shared/schema.js';
import { WHOLE_EVENT } from '../shared/whole-event.js';
import { GATE, ITEM } from './schemas.js';
import type { ReviewUses } from './uses.js';
import { gateSaidTo, situationSaidTo } from './viewer.js';

interface WhyRoute {
  readonly Params: { readonly id: string };
}

const FACT = closed({ seq: INTEGER, event_id: STRING, at: TIMESTAMP, type: STRING, text: STRING });

/**
 * `next.command`: what `kit why` prints, for whoever sits at the workspace; `next.words`: the words
 * of it.
 */
const SITUATION = closed({
  code: STRING,
  cause: STRING,
  actors: arrayOf(closed({ kind: STRING, names: STRINGS })),
  facts: arrayOf(FACT),
  next: closed({ command: STRING, fact: nullable(STRING), words: STRINGS }),
});

const WHY = closed({
  job: { type: 'object', additionalProperties: true, description: 'As `GET /jobs/{id}`.' },
  situation: SITUATION,
  events: arrayOf(WHOLE_EVENT),
  reasons: STRINGS,
  gates: arrayOf(GATE),
  items: arrayOf(ITEM),
});

/** Why a run stands where it stands, as `kit why` says it. */
export function whyRoutes(server: FastifyInstance, { app, workspace }: Served<ReviewUses>): void {
  server.get<WhyRoute>(
    '/jobs/:id/why',
    {
      config: { tier: 'read', mayAnswer: [409, 500] },
      schema: {
        summary: 'Why a run stands where it stands, who can act, and what nobody can do. Takes a unique prefix.',
        params: { type: 'object', properties: { id: STRING } },
        response: { 200: WHY },
      },
    },
    async (request) => {
      const words = wordsFor(request);
      const what = request.params.id;
      const { job, facts, reasons, gates, items, ...told } = await app.review.why({ workspace, what });
      const situation = situationSaidTo(told.situation, request.caller);
      return {
        job: toWireJob(job),
        situation: withWords(toWireSituation(situation, facts, ''), situation.command),
        events: facts.map((event) => toWireEvent(event)),
        reasons: [...reasons],
        gates: gates.map((gate) => toWireGate(gateSaidTo(gate, { caller: request.caller, words }))),
        items: items.map(toWireItem),
      };
    },
  );
}

const withWords = (situation: JsonObject, words: readonly string[]): JsonObject => ({
  ...situation,
  next: { ...(situation.next as JsonObject), words: [...words] },
});
