import {
  type ArtifactText,
  type InboxItem,
  type InboxRow,
  overHttp,
  toWireAsked,
  toWireDecision,
  toWireGate,
  toWireItem,
} from '@kit-run/kit/command';
import type { Served } from '@kit-run/kit/plugin';
import type { FastifyInstance } from 'fastify';
import { STRING } from '../shared/schema.js';
import { INBOX, INBOX_ITEM } from './inbox-schemas.js';
import type { ReviewUses } from './mount.js';
import { saidOverHttp, viewerOf } from './viewer.js';

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
        summary: 'What waits for the caller: tasks of their roles, and items that are no role tasks; oldest first.',
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
    async ({ query, caller }) => {
      const page = await app.review.inbox({
        workspace,
        ...viewerOf(caller),
        limit: query.limit,
        afterId: query.after ?? null,
      });
      const { identity, roles, rows, total, hasMore, now } = page;
      return { identity, roles: [...roles], items: rows.map(rowToWire), total, has_more: hasMore, now };
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
    async ({ params, caller }) =>
      itemToWire(await app.review.inboxItem({ workspace, ...viewerOf(caller), item: params.item })),
  );
}

const rowToWire = ({ item, asked, gate }: InboxRow) => ({
  ...toWireItem(item),
  ...toWireAsked(saidOverHttp(asked)),
  expires_at: gate?.expiresAt ?? null,
  judge_score: gate?.judgeScore ?? null,
});

function itemToWire(one: InboxItem) {
  const { details, artifact, harnessDiff, previous } = one;
  const halted = details === null || details.halted === null ? null : overHttp(details.halted);
  return {
    ...rowToWire(one),
    gate: details === null ? null : toWireGate({ ...details, halted }),
    artifact: artifact === null ? null : textToWire(artifact),
    diff: harnessDiff,
    previous:
      previous === null
        ? null
        : { decision: toWireDecision(previous.decision), artifact: textToWire(previous.artifact) },
  };
}

const textToWire = ({ ref, sha256, mediaType, sizeBytes, text }: ArtifactText) => ({
  ref,
  sha256,
  media_type: mediaType,
  size_bytes: sizeBytes,
  text,
});
