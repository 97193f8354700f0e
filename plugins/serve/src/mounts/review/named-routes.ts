import {
  type ArtifactText,
  type ItemKind,
  type ItemQuery,
  type ListedPage,
  toWireAsked,
  toWireElsewhere,
  toWireGate,
  toWireItem,
  toWireJob,
} from '@kit-run/kit/command';
import type { Served } from '@kit-run/kit/plugin';
import {
  ARTIFACT_TEXT,
  ASKED_FIELDS,
  arrayOf,
  BOOLEAN,
  closed,
  ELSEWHERE,
  GATE,
  INTEGER,
  ITEM_FIELDS,
  JOB,
  nullable,
  STRING,
  STRINGS,
} from '@kit-run/kit/wire';
import type { FastifyInstance } from 'fastify';
import { wordsFor } from '../../server/words-for.js';
import type { ReviewUses } from './uses.js';
import { gateSaidTo, saidTo, viewerOf, type Words } from './viewer.js';

interface PageRoute {
  readonly Querystring: {
    readonly what?: string;
    readonly kind?: ItemKind;
    readonly gate_id?: string;
    readonly queue?: string;
    readonly mine: boolean;
    readonly status: 'pending' | 'all';
    readonly limit: number;
    readonly after?: string;
  };
}
interface DetailsRoute {
  readonly Params: { readonly id: string };
  readonly Querystring: { readonly whole: boolean };
}

const name = (description: string) => ({ type: 'string', minLength: 1, maxLength: 1024, description }) as const;

const QUERY = {
  type: 'object',
  properties: {
    what: name('What waits and is called so: an item, or all of a run or a gate, by the id or its beginning.'),
    kind: ITEM_FIELDS.kind,
    gate_id: name('A gate, by its id or its beginning.'),
    queue: name('Items of the topologies that name this review queue.'),
    mine: { type: 'boolean', default: false, description: 'Tasks of roles of the caller, and items that are none.' },
    status: { type: 'string', enum: ['pending', 'all'], default: 'pending' },
    limit: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
    after: name('Goes on after this item.'),
  },
};

/** The request of an item whose run went meanwhile is not there. */
const LISTED = closed({ ...ITEM_FIELDS, ...ASKED_FIELDS }, ['request', 'you']);
const PAGE = closed({ items: arrayOf(LISTED), total: INTEGER, has_more: BOOLEAN, elsewhere: ELSEWHERE });
const DETAILS = closed({
  item: LISTED,
  gate: nullable(GATE),
  artifact: nullable(ARTIFACT_TEXT),
  job: JOB,
});

/** Items as they are called by people, with everything that a command line shows of them. */
export function namedRoutes(server: FastifyInstance, { app, workspace }: Served<ReviewUses>): void {
  server.get<PageRoute>(
    '/review/list',
    {
      config: { tier: 'read', mayAnswer: [409] },
      schema: {
        summary: 'A page of review items, counted, oldest first.',
        querystring: QUERY,
        response: { 200: PAGE },
      },
    },
    async (request) => {
      const { query, caller } = request;
      const viewer = viewerOf(caller);
      const page =
        query.what === undefined
          ? await app.review.list(queryOf(workspace, query, viewer))
          : await app.review.named({ workspace, what: query.what, viewer });
      return pageToWire(page, wordsFor(request));
    },
  );
  server.get(
    '/review/people',
    {
      config: { tier: 'read' },
      schema: { summary: 'Members of some role, each once.', response: { 200: closed({ people: STRINGS }) } },
    },
    async () => ({ people: await app.review.people({ workspace }) }),
  );
  server.get<DetailsRoute>(
    '/review/:id/details',
    {
      config: { tier: 'read', mayAnswer: [409, 500] },
      schema: {
        summary: 'One review item with its gate, its job and what is decided about. Takes a unique prefix.',
        params: { type: 'object', properties: { id: STRING } },
        querystring: {
          type: 'object',
          properties: {
            whole: { type: 'boolean', default: false, description: 'With the whole input, however long it is.' },
          },
        },
        response: { 200: DETAILS },
      },
    },
    async (request) => {
      const { params, query, caller } = request;
      const words = wordsFor(request);
      const { item, gate, job, asked, artifact } = await app.review.show({
        workspace,
        item: params.id,
        viewer: viewerOf(caller),
        isWhole: query.whole,
        withArtifact: true,
      });
      return {
        item: { ...toWireItem(item), ...(asked === null ? {} : toWireAsked(saidTo(asked, words))) },
        gate: gate === null ? null : toWireGate(gateSaidTo(gate, { caller, words })),
        artifact: artifact === null ? null : textToWire(artifact),
        job: toWireJob(job),
      };
    },
  );
}

const queryOf = (
  workspace: string,
  { kind, gate_id, queue, mine, status, limit, after }: PageRoute['Querystring'],
  viewer: ItemQuery['viewer'],
): ItemQuery => ({
  workspace,
  kind: kind ?? null,
  gate: gate_id ?? null,
  queue: queue ?? null,
  show: status,
  limit,
  afterId: after ?? null,
  isMine: mine,
  ...(viewer === undefined ? {} : { viewer }),
});

const pageToWire = ({ items, asked, total, hasMore, elsewhere }: ListedPage, words: Words) => ({
  items: items.map((item) => {
    const about = asked.get(item.id);
    return { ...toWireItem(item), ...(about === undefined ? {} : toWireAsked(saidTo(about, words))) };
  }),
  total,
  has_more: hasMore,
  elsewhere: toWireElsewhere(elsewhere),
});

/** A text that is decided about. */
export const textToWire = ({ ref, name, sha256, mediaType, sizeBytes, text }: ArtifactText) => ({
  ref,
  name,
  sha256,
  media_type: mediaType,
  size_bytes: sizeBytes,
  text,
});
