import {
  type InboxItem,
  type InboxRow,
  toWireAsked,
  toWireDecision,
  toWireElsewhere,
  toWireGate,
  toWireItem,
  toWireJob,
} from '@kit-run/kit/command';
import type { Served } from '@kit-run/kit/plugin';
import { INBOX, INBOX_ITEM, STRING } from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { wordsFor } from '../../server/words-for.js';
import { textToWire } from './named-routes.js';
import type { ReviewUses } from './uses.js';
import { gateSaidTo, type Hearer, saidTo, viewerOf, type Words } from './viewer.js';

interface PageRoute {
  readonly Querystring: { readonly limit: number; readonly after?: string };
}
interface OneRoute {
  readonly Params: { readonly item: string };
}

/** What waits for the caller: their inbox, as `kit review` shows it on a terminal. */
export function inboxRoutes(server: FastifyInstance, { app, workspace }: Served<ReviewUses>): void {
  server.get<PageRoute>(
    '/inbox',
    {
      config: { tier: 'read' },
      schema: {
        summary: 'What waits for the caller: tasks of their roles, and items that are not role tasks; oldest first.',
        querystring: {
          type: 'object',
          properties: {
            limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
            after: { type: 'string', minLength: 1, description: 'Goes on after this item.' },
          },
        },
        response: { 200: INBOX },
      },
    },
    async (request) => {
      const { query, caller } = request;
      const words = wordsFor(request);
      const page = await app.review.inbox({
        workspace,
        ...viewerOf(caller),
        limit: query.limit,
        afterId: query.after ?? null,
      });
      const { identity, roles, rows, total, hasMore, elsewhere, now } = page;
      return {
        identity,
        roles: [...roles],
        items: rows.map((row) => rowToWire(row, words)),
        total,
        has_more: hasMore,
        elsewhere: toWireElsewhere(elsewhere),
        now,
      };
    },
  );
  server.get<OneRoute>(
    '/inbox/:item',
    {
      config: { tier: 'read', mayAnswer: [500] },
      schema: {
        summary: 'One item with everything that a decision is made from. Takes a unique prefix of its id.',
        params: { type: 'object', properties: { item: STRING } },
        response: { 200: INBOX_ITEM },
      },
    },
    async (request) => {
      const { params, caller } = request;
      const one = await app.review.inboxItem({ workspace, ...viewerOf(caller), item: params.item });
      return itemToWire(one, { caller, words: wordsFor(request) });
    },
  );
}

const rowToWire = ({ item, asked, gate }: InboxRow, words: Words) => ({
  ...toWireItem(item),
  ...toWireAsked(saidTo(asked, words)),
  expires_at: gate?.expiresAt ?? null,
  judge_score: gate?.judgeScore ?? null,
  checks_escalated: gate?.escalated ?? false,
});

function itemToWire(one: InboxItem, hearer: Hearer) {
  const { details, artifact, harnessDiff, previous, job } = one;
  return {
    ...rowToWire(one, hearer.words),
    job: toWireJob(job),
    gate: details === null ? null : toWireGate(gateSaidTo(details, hearer)),
    artifact: artifact === null ? null : textToWire(artifact),
    diff: harnessDiff,
    previous:
      previous === null
        ? null
        : { decision: toWireDecision(previous.decision), artifact: textToWire(previous.artifact) },
  };
}
