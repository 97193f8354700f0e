import type { ResolvedItem } from '../app/review/decision.js';
import type { InboxItem, InboxRow, ItemDetails, ListedPage, ReviewApp, WhyReport } from '../app/review/review-app.js';
import type { JsonObject } from '../domain/json.js';
import {
  type Fields,
  fieldsOf,
  isTrueAt,
  maybeNumberAt,
  maybeObjectAt,
  maybeTextAt,
  numberAt,
  objectsAt,
  textAt,
  textsAt,
} from '../lib/read-json.js';
import type { ReviewRequest } from '../view/asked.js';
import { ARTIFACT_TEXT_OR_NULL } from '../view/schemas/artifact.js';
import { fromWire } from '../view/schemas/codec.js';
import { fromWireEvent } from '../view/schemas/event.js';
import { fromWireGate } from '../view/schemas/gate.js';
import { fromWireAsked, fromWireDecision, fromWireElsewhere, fromWireItem } from '../view/schemas/item.js';
import { SITUATION } from '../view/schemas/why.js';
import { jobIn, type RemoteContext } from './remote-context.js';

type Remote = Pick<
  ReviewApp,
  'list' | 'named' | 'people' | 'show' | 'gate' | 'resolve' | 'answer' | 'inbox' | 'inboxItem' | 'why'
>;

/**
 * Gates and items of a server. Who looks and who decides is whom the token proves: nothing else is
 * sent.
 */
export function remoteReview({ client }: RemoteContext): Remote {
  const { http, read } = client;
  return {
    list: async ({ kind, gate, queue = null, show, limit, afterId, isMine = false }) =>
      pageOf(
        await read(
          http.GET('/review/list', {
            params: {
              query: {
                status: show,
                limit,
                mine: isMine,
                ...(kind === null ? {} : { kind }),
                ...(gate === null ? {} : { gate_id: gate }),
                ...(queue === null ? {} : { queue }),
                ...(afterId === null ? {} : { after: afterId }),
              },
            },
          }),
        ),
      ),
    named: async ({ what }) => pageOf(await read(http.GET('/review/list', { params: { query: { what } } }))),
    people: async () => textsAt(fieldsOf(await read(http.GET('/review/people'))), 'people'),
    show: async ({ item, isWhole = false }) =>
      detailsOf(
        await read(http.GET('/review/{id}/details', { params: { path: { id: item }, query: { whole: isWhole } } })),
      ),
    gate: async ({ gate, author, isWhole = false }) => {
      const query = { whole: isWhole, ...(author === null ? {} : { author }) };
      const given = await read(http.GET('/gates/{gate_id}', { params: { path: { gate_id: gate }, query } }));
      return { ...fromWireGate(given), asked: fromWireAsked(given) };
    },
    resolve: async ({ item, outcome, comment }) =>
      resolvedOf(
        await read(
          http.POST('/review/{id}/resolve', {
            params: { path: { id: item }, query: { recorded: true } },
            body: { outcome, comment },
          }),
        ),
      ),
    answer: async ({ item, action, answer, comment, input }) => {
      const params = { path: { id: item }, query: { recorded: true } };
      const answering =
        action === 'answer'
          ? http.POST('/review/{id}/answer', { params, body: { comment, answer: answer ?? '' } })
          : action === 'approve'
            ? http.POST('/review/{id}/approve', {
                params,
                body: { comment, ...inputOf(input) },
              })
            : http.POST('/review/{id}/reject', { params, body: { comment } });
      return resolvedOf(await read(answering));
    },
    inbox: async ({ limit, afterId }) => {
      const query = { limit, ...(afterId === null ? {} : { after: afterId }) };
      const page = fieldsOf(await read(http.GET('/inbox', { params: { query } })));
      return {
        identity: textAt(page, 'identity'),
        roles: textsAt(page, 'roles'),
        rows: objectsAt(page, 'items').flatMap(rowsOf),
        total: numberAt(page, 'total'),
        hasMore: isTrueAt(page, 'has_more'),
        elsewhere: fromWireElsewhere(page),
        now: textAt(page, 'now'),
      };
    },
    inboxItem: async ({ item }) =>
      inboxItemOf(fieldsOf(await read(http.GET('/inbox/{item}', { params: { path: { item } } })))),
    why: async ({ what }) => whyOf(await read(http.GET('/jobs/{id}/why', { params: { path: { id: what } } }))),
  };
}

function pageOf(value: unknown): ListedPage {
  const page = fieldsOf(value);
  const rows = objectsAt(page, 'items').map((row) => ({ item: fromWireItem(row), asked: fromWireAsked(row) }));
  const asked = rows.flatMap(({ item, asked: one }): [string, ReviewRequest][] =>
    one === null ? [] : [[item.id, one]],
  );
  return {
    items: rows.map(({ item }) => item),
    asked: new Map(asked),
    total: numberAt(page, 'total'),
    hasMore: isTrueAt(page, 'has_more'),
    elsewhere: fromWireElsewhere(page),
  };
}

function detailsOf(value: unknown): ItemDetails {
  const given = fieldsOf(value);
  const gate = maybeObjectAt(given, 'gate');
  return {
    item: fromWireItem(given.item),
    asked: fromWireAsked(given.item),
    gate: gate === null ? null : fromWireGate(gate),
    artifact: fromWire(ARTIFACT_TEXT_OR_NULL, given.artifact),
    job: jobIn(given.job),
  };
}

function resolvedOf(value: unknown): ResolvedItem {
  const given = fieldsOf(value);
  const recorded = fieldsOf(given.recorded);
  const gate = maybeObjectAt(recorded, 'gate');
  const decision = maybeObjectAt(recorded, 'decision');
  return {
    item: fromWireItem(given),
    gate: gate === null ? null : fromWireGate(gate),
    decision: decision === null ? null : fromWireDecision(decision),
    unchanged: isTrueAt(recorded, 'unchanged'),
    reopened: maybeTextAt(recorded, 'reopened'),
    proposed: textsAt(recorded, 'proposed'),
    job: jobIn(recorded.job),
    seq: numberAt(recorded, 'seq'),
  };
}

/** A row that does not say what is asked is none that anybody could decide. */
function rowsOf(row: Fields): readonly InboxRow[] {
  const asked = fromWireAsked(row);
  const item = fromWireItem(row);
  const gate = {
    expiresAt: maybeTextAt(row, 'expires_at'),
    escalated: isTrueAt(row, 'checks_escalated'),
    judgeScore: maybeNumberAt(row, 'judge_score'),
  };
  return asked === null ? [] : [{ item, asked, gate: item.gateId === null ? null : gate }];
}

function inboxItemOf(given: Fields): InboxItem {
  const [row] = rowsOf(given);
  const gate = maybeObjectAt(given, 'gate');
  const previous = maybeObjectAt(given, 'previous');
  const before = fromWire(ARTIFACT_TEXT_OR_NULL, previous?.artifact);
  if (row === undefined) throw new TypeError('an item without what is asked');
  return {
    ...row,
    job: jobIn(given.job),
    details: gate === null ? null : fromWireGate(gate),
    artifact: fromWire(ARTIFACT_TEXT_OR_NULL, given.artifact),
    harnessDiff: maybeTextAt(given, 'diff'),
    previous:
      previous === null || before === null ? null : { decision: fromWireDecision(previous.decision), artifact: before },
  };
}

function whyOf(value: unknown): WhyReport {
  const given = fieldsOf(value);
  const elsewhere = maybeTextAt(given, 'gate_elsewhere');
  const { next, ...situation } = fromWire(SITUATION, given.situation);
  return {
    job: jobIn(given.job),
    gates: objectsAt(given, 'gates').map(fromWireGate),
    items: objectsAt(given, 'items').map(fromWireItem),
    reasons: textsAt(given, 'reasons'),
    situation: { ...situation, command: next.words, fact: next.fact },
    facts: objectsAt(given, 'events').map(fromWireEvent),
    autoResume: isTrueAt(given, 'auto_resume'),
    ...(elsewhere === null ? {} : { gateElsewhere: elsewhere }),
  };
}

/** The description of the route takes any object, and its types none. */
const inputOf = (input: JsonObject | undefined): { readonly input?: never } =>
  input === undefined ? {} : { input: input as never };
