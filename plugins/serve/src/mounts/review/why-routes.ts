import { overHttp, toWireGate, toWireItem, toWireJobSummary, toWireSituation } from '@kit-run/kit/command';
import type { Served } from '@kit-run/kit/plugin';
import type { FastifyInstance } from 'fastify';
import { arrayOf, closed, INTEGER, nullable, STRING, STRINGS, TIMESTAMP } from '../shared/schema.js';
import type { ReviewUses } from './mount.js';
import { GATE, ITEM } from './schemas.js';

interface WhyRoute {
  readonly Params: { readonly id: string };
}

const FACT = closed({ seq: INTEGER, event_id: STRING, at: TIMESTAMP, type: STRING, text: STRING });

/** `next.command`: what `kit why` prints, for whoever sits at the workspace. */
const SITUATION = closed({
  code: STRING,
  cause: STRING,
  actors: arrayOf(closed({ kind: STRING, names: STRINGS })),
  facts: arrayOf(FACT),
  next: closed({ command: STRING, fact: nullable(STRING) }),
});

const WHY = closed({
  job: { type: 'object', additionalProperties: true, description: 'A row of `GET /jobs`.' },
  situation: SITUATION,
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
    async ({ params }) => {
      const { job, situation, facts, reasons, gates, items } = await app.review.why({ workspace, what: params.id });
      return {
        job: toWireJobSummary(job),
        situation: toWireSituation(situation, facts, ''),
        reasons: [...reasons],
        gates: gates.map((gate) =>
          toWireGate({ ...gate, halted: gate.halted === null ? null : overHttp(gate.halted) }),
        ),
        items: items.map(toWireItem),
      };
    },
  );
}
