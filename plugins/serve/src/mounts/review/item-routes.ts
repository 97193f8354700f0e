import { type ItemKind, toWireItem } from '@kit-run/kit/command';
import { isKitError, type Served } from '@kit-run/kit/plugin';
import type { FastifyInstance } from 'fastify';
import { arrayOf, STRING } from '../shared/schema.js';
import { decisionRoutes } from './decision-routes.js';
import type { ReviewUses } from './mount.js';
import { ITEM, KIND } from './schemas.js';

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
  kind: KIND,
  gate_id: { type: 'string', minLength: 1 },
  limit: { type: 'integer', minimum: 1, maximum: 1000, default: 1000 },
  after: { type: 'string', minLength: 1, description: 'Goes on after this item.' },
};
const STATUS = { type: 'string', enum: ['pending', 'all'], default: 'pending' };

export function itemRoutes(server: FastifyInstance, served: Served<ReviewUses>): void {
  const { app, workspace } = served;
  const list = async (query: ListRoute['Querystring'], show: 'pending' | 'all') => {
    const wanted = {
      workspace,
      kind: query.kind ?? null,
      gate: query.gate_id ?? null,
      show,
      limit: query.limit,
      afterId: query.after ?? null,
    };
    try {
      return (await app.review.list(wanted)).items.map(toWireItem);
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
        summary: 'Review items, oldest first: those that wait, or all of them.',
        querystring: { type: 'object', properties: { ...FILTER, status: STATUS } },
        response: { 200: arrayOf(ITEM) },
      },
    },
    async ({ query }) => list(query, query.status ?? 'pending'),
  );
  server.get<ListRoute>(
    '/review/all',
    {
      config: { tier: 'read' },
      schema: {
        summary: 'Every review item, oldest first, decided ones too.',
        querystring: { type: 'object', properties: FILTER },
        response: { 200: arrayOf(ITEM) },
      },
    },
    async ({ query }) => list(query, 'all'),
  );
  server.get<OneRoute>(
    '/review/:id',
    {
      config: { tier: 'read' },
      schema: {
        summary: 'One review item, by its id or a unique prefix of it.',
        params: { type: 'object', properties: { id: STRING } },
        response: { 200: ITEM },
      },
    },
    async ({ params }) => toWireItem((await app.review.show({ workspace, item: params.id })).item),
  );
  decisionRoutes(server, served);
}
