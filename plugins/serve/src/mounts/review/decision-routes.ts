import {
  type AnswerItem,
  type RefusedByScope,
  type ResolvedItem,
  toWireDecision,
  toWireGate,
  toWireItem,
  toWireJob,
} from '@kit-run/kit/command';
import type { Caller, JsonObject, Served } from '@kit-run/kit/plugin';
import { BOOLEAN, closed, DECISION, GATE, INTEGER, ITEM_FIELDS, JOB, nullable, STRING } from '@kit-run/kit/wire';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { wordsFor } from '../../server/words-for.js';
import type { ReviewUses } from './uses.js';
import { authOf, gateSaidTo, type Hearer, refusedTo } from './viewer.js';

interface DecisionRoute {
  readonly Querystring: { readonly recorded: boolean };
  readonly Params: { readonly id: string };
  readonly Body: {
    readonly comment: string;
    readonly outcome: string;
    readonly answer: string;
    readonly input?: JsonObject;
  };
}

/** What cannot be decided any more, or not by this route. */
const DECIDED = [409];

const COMMENT = { type: 'string', default: '' };
const RECORDED_QUERY = {
  type: 'object',
  properties: {
    recorded: { type: 'boolean', default: false, description: 'With what came of the decision: `recorded`.' },
  },
};

/** The item, and with `recorded=true` what came of the decision beside it. */
const DECIDED_ITEM = closed(
  {
    ...ITEM_FIELDS,
    recorded: closed({
      decision: nullable(DECISION),
      gate: nullable(GATE),
      unchanged: BOOLEAN,
      reopened: nullable(STRING),
      proposed: { type: 'array', items: STRING, description: 'Ids of the rules that `kit trust list` shows.' },
      job: JOB,
      seq: INTEGER,
    }),
  },
  ['recorded'],
);

const PARAMS = { type: 'object', properties: { id: STRING } };

/**
 * A missing member is '' and is judged with the decision, so that an unknown item is 404 before
 * anything else is 422.
 */
const bodyOf = (properties: object) => ({
  type: 'object',
  default: {},
  properties: { comment: COMMENT, ...properties },
});

const BODIES: Readonly<Record<AnswerItem['action'], object>> = {
  approve: {
    input: { type: 'object', description: 'What the call of a permission is made with instead of its own input.' },
  },
  reject: {},
  answer: { answer: { type: 'string', default: '' } },
};

const ACTIONS: readonly { readonly action: AnswerItem['action']; readonly summary: string }[] = [
  { action: 'approve', summary: 'Approve an item that is not a role task.' },
  { action: 'reject', summary: 'Reject an item that is not a role task.' },
  { action: 'answer', summary: 'Answer a question: text, the text of an option, or its number.' },
];

const throwRefused =
  (caller: Caller) =>
  (error: unknown): never => {
    throw refusedTo(caller, error);
  };

/** Who decides is who called: what a body says of it is ignored. */
export function decisionRoutes(server: FastifyInstance, { app, workspace }: Served<ReviewUses>): void {
  // Every attempt at a role task of somebody who is known stands in the log, whatever refused it.
  const onScopeMissing = (action: RefusedByScope['action']) => async (request: FastifyRequest, scope: string) => {
    const { id } = request.params as DecisionRoute['Params'];
    const { caller } = request;
    if (caller.assurance !== 'authenticated') return;
    await app.review.refusedByScope({
      workspace,
      item: id,
      identity: caller.clientId,
      auth: authOf(caller),
      action,
      scope,
    });
  };
  // A decision without a word is sent without a body.
  server.addHook('preValidation', async (request) => {
    if (request.method === 'POST') request.body ??= {};
  });
  for (const { action, summary } of ACTIONS) {
    server.post<DecisionRoute>(
      `/review/:id/${action}`,
      {
        config: { tier: 'run', mayAnswer: DECIDED, onScopeMissing: onScopeMissing(action) },
        schema: {
          summary,
          params: PARAMS,
          querystring: RECORDED_QUERY,
          body: bodyOf(BODIES[action]),
          response: { 200: DECIDED_ITEM },
        },
      },
      async (request) => {
        const { params, body, caller } = request;
        const answer = action === 'answer' ? body.answer : null;
        const decided = await app.review
          .answer({
            workspace,
            item: params.id,
            isWholeId: true,
            action,
            answer,
            comment: body.comment,
            ...(action === 'approve' && body.input !== undefined ? { input: body.input } : {}),
            identity: caller.clientId,
            auth: authOf(caller),
          })
          .catch(throwRefused(caller));
        return decidedToWire(
          decided,
          request.query.recorded ? { caller: request.caller, words: wordsFor(request) } : null,
        );
      },
    );
  }
  server.post<DecisionRoute>(
    '/review/:id/resolve',
    {
      config: { tier: 'run', mayAnswer: [...DECIDED, 500], onScopeMissing: onScopeMissing('') },
      schema: {
        summary: 'Decide one role task of a gate: approve, reject or changes_requested.',
        params: PARAMS,
        querystring: RECORDED_QUERY,
        body: bodyOf({
          outcome: {
            type: 'string',
            default: '',
            description: '`approve`, `reject`, `changes_requested` or `changes-requested`.',
          },
        }),
        response: { 200: DECIDED_ITEM },
      },
    },
    async (request) => {
      const { params, body, caller } = request;
      const { outcome, comment } = body;
      const decision = {
        workspace,
        item: params.id,
        isWholeId: true,
        identity: caller.clientId,
        auth: authOf(caller),
        outcome,
        comment,
      };
      const decided = await app.review.resolve(decision).catch(throwRefused(caller));
      return decidedToWire(
        decided,
        request.query.recorded ? { caller: request.caller, words: wordsFor(request) } : null,
      );
    },
  );
}

/** `hearer` null: the item alone. */
function decidedToWire(
  { item, decision, gate, unchanged, reopened, proposed, job, seq }: ResolvedItem,
  hearer: Hearer | null,
) {
  if (hearer === null) return toWireItem(item);
  return {
    ...toWireItem(item),
    recorded: {
      decision: decision === null ? null : toWireDecision(decision),
      gate: gate === null ? null : toWireGate(gateSaidTo(gate, hearer)),
      unchanged,
      reopened,
      proposed,
      job: toWireJob(job),
      seq,
    },
  };
}
