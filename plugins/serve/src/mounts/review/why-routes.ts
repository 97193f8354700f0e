import { toWireEvent, toWireGate, toWireItem, toWireJob, toWireSituation } from '@kit-run/kit/command';
import type { Served } from '@kit-run/kit/plugin';
import { STRING, WHY, type WireSituation, type WireWhy } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { asksInCommands, wordsFor } from '../../server/words-for.js';
import type { ReviewUses } from './uses.js';
import { gateSaidTo, situationSaidTo } from './viewer.js';

interface WhyRoute {
  readonly Params: { readonly id: string };
}

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
    async (request): Promise<WireWhy> => {
      const words = wordsFor(request);
      const what = request.params.id;
      const { job, facts, reasons, gates, items, autoResume, gateElsewhere, ...rest } = await app.review.why({
        workspace,
        what,
        identity: request.caller.clientId,
      });
      const situation = situationSaidTo(rest.situation, { caller: request.caller, isShell: asksInCommands(request) });
      return {
        job: toWireJob(job),
        situation: withWords(toWireSituation(situation, facts, ''), situation.command),
        events: facts.map((event) => toWireEvent(event)),
        reasons,
        gates: gates.map((gate) => toWireGate(gateSaidTo(gate, { caller: request.caller, words }))),
        items: items.map(toWireItem),
        auto_resume: autoResume,
        gate_elsewhere: gateElsewhere ?? null,
      };
    },
  );
}

const withWords = (situation: WireSituation, words: readonly string[]): WireWhy['situation'] => ({
  ...situation,
  next: { ...situation.next, words },
});
