import type { TriggersApp } from '@kit-run/kit/command';
import type { Caller, HttpMount } from '@kit-run/kit/plugin';
import { HOOK_ANSWER } from '@kit-run/kit/wire';
import { nameParams } from '../http/schemas.js';
import { toWireHook } from '../wire.js';

type Server = Parameters<HttpMount['register']>[0];

/** The submitter that a caller is; null on a public route, where nobody was asked. */
export const submitterOf = ({ clientId, clientName, assurance }: Caller) =>
  clientId === '' ? null : { identity: clientId, clientName, assurance };

const nameOf = (params: unknown): string => {
  // Checked against `nameParams`, but for the tier, which is asked before that: an odd name then
  // matches nothing.
  const { name } = params as { readonly name?: unknown };
  return typeof name === 'string' ? name : '';
};

const oneOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** What Fastify takes for one; of anything else it would not read the body at all. */
const MEDIA_TYPE = /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+\s*(;|$)/;

/**
 * `POST /hooks/{name}` in a scope of its own: its body is bytes, whatever it calls itself, because
 * a signature is over bytes.
 */
export function hookRoute(
  scope: Server,
  { app, workspace }: { readonly app: TriggersApp; readonly workspace: string },
): void {
  scope.removeAllContentTypeParsers();
  scope.addHook('onRequest', (request, _reply, done) => {
    const type = request.headers['content-type'];
    if (type !== undefined && !MEDIA_TYPE.test(type)) delete request.headers['content-type'];
    done();
  });
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  scope.post(
    '/hooks/:name',
    {
      config: {
        tier: (request) => app.hookTier({ workspace, name: nameOf(request.params) }),
        mayAnswer: [429, 502, 503],
        summary: 'Deliver a webhook: it starts the named topology, or hands an event to the application.',
      },
      schema: {
        params: nameParams,
        response: { 200: HOOK_ANSWER },
      },
    },
    async (request, reply) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, oneOf(value)]));
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const answer = await app.deliver({
        workspace,
        name: nameOf(request.params),
        delivery: { headers, body },
        caller: submitterOf(request.caller),
      });
      if (answer.kind === 'run') reply.header('location', `/jobs/${answer.job.id}`);
      return toWireHook(answer);
    },
  );
}
