import { type AnswerItem, type RefusedAtDoor, toWireItem } from '@kit-run/kit/command';
import type { Served } from '@kit-run/kit/plugin';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { STRING } from '../shared/schema.js';
import type { ReviewUses } from './mount.js';
import { ITEM } from './schemas.js';
import { doorOf } from './viewer.js';

interface DecisionRoute {
  readonly Params: { readonly id: string };
  readonly Body: { readonly comment: string; readonly outcome: string; readonly answer: string };
}

/** What cannot be decided any more, or not by this route. */
const DECIDED = [409];

const COMMENT = { type: 'string', default: '' };
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

const ACTIONS: readonly { readonly action: AnswerItem['action']; readonly summary: string }[] = [
  { action: 'approve', summary: 'Approve an item that is no role task.' },
  { action: 'reject', summary: 'Reject an item that is no role task.' },
  { action: 'answer', summary: 'Answer a question: text, the text of an option, or its number.' },
];

/** Who decides is who called: what a body says of it is ignored. */
export function decisionRoutes(server: FastifyInstance, { app, workspace }: Served<ReviewUses>): void {
  // Every attempt at a role task of somebody who is known stands in the log, whatever refused it.
  const onScopeMissing = (action: RefusedAtDoor['action']) => async (request: FastifyRequest, scope: string) => {
    const { id } = request.params as DecisionRoute['Params'];
    const { caller } = request;
    if (caller.assurance !== 'authenticated') return;
    await app.review.refusedAtDoor({
      workspace,
      item: id,
      identity: caller.clientId,
      door: doorOf(caller),
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
          body: bodyOf(action === 'answer' ? { answer: { type: 'string', default: '' } } : {}),
          response: { 200: ITEM },
        },
      },
      async ({ params, body, caller }) => {
        const answer = action === 'answer' ? body.answer : null;
        const decided = await app.review.answer({
          workspace,
          item: params.id,
          isWholeId: true,
          action,
          answer,
          comment: body.comment,
          identity: caller.clientId,
          door: doorOf(caller),
        });
        return toWireItem(decided.item);
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
        body: bodyOf({
          outcome: {
            type: 'string',
            default: '',
            description: '`approve`, `reject`, `changes_requested` or `changes-requested`.',
          },
        }),
        response: { 200: ITEM },
      },
    },
    async ({ params, body, caller }) => {
      const { outcome, comment } = body;
      const decision = {
        workspace,
        item: params.id,
        isWholeId: true,
        identity: caller.clientId,
        door: doorOf(caller),
        outcome,
        comment,
      };
      return toWireItem((await app.review.resolve(decision)).item);
    },
  );
}
