import { overHttp, toWireAsked, toWireGate } from '@kit-run/kit/command';
import type { Served } from '@kit-run/kit/plugin';
import type { FastifyInstance } from 'fastify';
import { STRING } from '../shared/schema.js';
import type { ReviewUses } from './mount.js';
import { ASKED_GATE } from './schemas.js';
import { saidOverHttp, viewerOf } from './viewer.js';

interface GateRoute {
  readonly Params: { readonly gate_id: string };
  readonly Querystring: { readonly author?: string };
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
          },
        },
        response: { 200: ASKED_GATE },
      },
    },
    async ({ params, query, caller }) => {
      const gate = await app.review.gate({
        workspace,
        gate: params.gate_id,
        author: query.author ?? null,
        viewer: viewerOf(caller),
      });
      const wire = toWireGate({ ...gate, halted: gate.halted === null ? null : overHttp(gate.halted) });
      return { ...wire, ...(gate.asked === null ? {} : toWireAsked(saidOverHttp(gate.asked))) };
    },
  );
}
