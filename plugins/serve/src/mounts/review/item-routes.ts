import { type ItemKind, toWireAsked, toWireItem } from '@kit-run/kit/command';
import { isKitError, type Served } from '@kit-run/kit/plugin';
import { ASKED_ITEM, arrayOf, ITEM_FIELDS, STRING } from '@kit-run/kit/wire';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { wordsFor } from '../../server/words-for.js';
import { decisionRoutes } from './decision-routes.js';
import { namedRoutes } from './named-routes.js';
import type { ReviewUses } from './uses.js';
import { saidTo, viewerOf } from './viewer.js';

interface ListRoute {
  readonly Querystring: {
    readonly kind?: ItemKind;
    readonly gate_id?: string;
    readonly status?: 'pending' | 'all';
    readonly limit: number;
    readonly after?: string;
  };
}
interface OneRoute {
  readonly Params: { readonly id: string };
}

const FILTER = {
  kind: ITEM_FIELDS.kind,
  gate_id: { type: 'string', minLength: 1 },
  limit: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
  after: { type: 'string', minLength: 1, description: 'Goes on after this item.' },
};
const STATUS = { type: 'string', enum: ['pending', 'all'], default: 'pending' };

export function itemRoutes(server: FastifyInstance, served: Served<ReviewUses>): void {
  const { app, workspace } = served;
  const list = async (request: FastifyRequest<ListRoute>, show: 'pending' | 'all') => {
    const { query, caller } = request;
    const words = wordsFor(request);
    const wanted = {
      workspace,
      kind: query.kind ?? null,
      gate: query.gate_id ?? null,
      show,
      limit: query.limit,
      afterId: query.after ?? null,
      viewer: viewerOf(caller),
    };
    try {
      const { items, asked } = await app.review.list(wanted);
      return items.flatMap((item) => {
        const about = asked.get(item.id);
        // Its run went while the list was read.
        return about === undefined ? [] : { ...toWireItem(item), ...toWireAsked(saidTo(about, words)) };
      });
    } catch (error) {
      // A filter that nothing fits is an empty list, as each other filter is.
      if (isKitError(error) && error.code === 'KIT_GATE_UNKNOWN') return [];
      throw error;
    }
  };
  server.get<ListRoute>(
    '/review',
    {
      config: { tier: 'read' },
      schema: {
        summary: 'Review items with what is asked, oldest first: those that wait, or all of them.',
        querystring: { type: 'object', properties: { ...FILTER, status: STATUS } },
        response: { 200: arrayOf(ASKED_ITEM) },
      },
    },
    async (request) => list(request, request.query.status ?? 'pending'),
  );
  server.get<ListRoute>(
    '/review/all',
    {
      config: { tier: 'read' },
      schema: {
        summary: 'Every review item, oldest first, decided ones too.',
        querystring: { type: 'object', properties: FILTER },
        response: { 200: arrayOf(ASKED_ITEM) },
      },
    },
    async (request) => list(request, 'all'),
  );
  server.get<OneRoute>(
    '/review/:id',
    {
      config: { tier: 'read', mayAnswer: [303], page: '/console/items/' },
      schema: {
        summary: 'One review item, by its id or a unique prefix of it, and what is asked.',
        params: { type: 'object', properties: { id: STRING } },
        response: { 200: ASKED_ITEM },
      },
    },
    async (request) => {
      const { params, caller } = request;
      const { item, asked } = await app.review.show({ workspace, item: params.id, viewer: viewerOf(caller) });
      return { ...toWireItem(item), ...(asked === null ? {} : toWireAsked(saidTo(asked, wordsFor(request)))) };
    },
  );
  namedRoutes(server, served);
  decisionRoutes(server, served);
}
