import { toWireAsked, toWireGate } from '@kit-run/kit/command';
import type { Served } from '@kit-run/kit/plugin';
import { ASKED_GATE, STRING } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { wordsFor } from '../../server/words-for.js';
import type { ReviewUses } from './uses.js';
import { gateSaidTo, saidTo, viewerOf } from './viewer.js';

interface GateRoute {
  readonly Params: { readonly gate_id: string };
  readonly Querystring: { readonly author?: string; readonly whole: boolean };
}

export function gateRoutes(server: FastifyInstance, { app, workspace }: Served<ReviewUses>): void {
  server.get<GateRoute>(
    '/gates/:gate_id',
    {
      config: { tier: 'read', mayAnswer: [303, 500], page: '/console/gates/' },
      schema: {
        summary: 'A gate in its newest round: what is asked, who decided, who can act, what is decided about.',
        params: { type: 'object', properties: { gate_id: STRING } },
        querystring: {
          type: 'object',
          properties: {
            author: {
              type: 'string',
              minLength: 1,
              description: 'Shown in place of the submitter; no decision depends on it.',
            },
            whole: { type: 'boolean', default: false, description: 'With the whole input, however long it is.' },
          },
        },
        response: { 200: ASKED_GATE },
      },
    },
    async (request) => {
      const { params, query, caller } = request;
      const words = wordsFor(request);
      const gate = await app.review.gate({
        workspace,
        gate: params.gate_id,
        author: query.author ?? null,
        viewer: viewerOf(caller),
        isWhole: query.whole,
      });
      const wire = toWireGate(gateSaidTo(gate, { caller, words }));
      return { ...wire, ...(gate.asked === null ? {} : toWireAsked(saidTo(gate.asked, words))) };
    },
  );
}
