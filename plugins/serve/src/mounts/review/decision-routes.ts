import {
  type AnswerItem,
  type RefusedByScope,
  type ResolvedItem,
  toWireDecision,
  toWireGate,
  toWireItem,
  toWireJob,
} from '@kit-run/kit/command';
import type { JsonObject, Served } from '@kit-run/kit/plugin';
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
  const asked = ({ params, body, caller }: FastifyRequest<DecisionRoute>) => ({
    workspace,
    item: params.id,
    isWholeId: true as const,
    comment: body.comment,
    identity: caller.clientId,
    auth: authOf(caller),
  });
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
      (request) => {
        const { body } = request;
        const answer = action === 'answer' ? body.answer : null;
        const input = action === 'approve' && body.input !== undefined ? { input: body.input } : {};
        return decided(request, app.review.answer({ ...asked(request), action, answer, ...input }));
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
    (request) => {
      const { outcome } = request.body;
      return decided(request, app.review.resolve({ ...asked(request), outcome }));
    },
  );
}

/** The item, and what came of the decision where the caller asks for that. */
async function decided(request: FastifyRequest<DecisionRoute>, deciding: Promise<ResolvedItem>) {
  const { caller, query } = request;
  const { item, decision, gate, unchanged, reopened, proposed, job, seq } = await deciding.catch((error: unknown) => {
    throw refusedTo(caller, error);
  });
  if (!query.recorded) return toWireItem(item);
  const hearer: Hearer = { caller, words: wordsFor(request) };
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
