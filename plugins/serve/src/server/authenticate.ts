import {
  type AuthProvider,
  type AuthVerdict,
  type Caller,
  type HttpTier,
  KitError,
  missingScope,
} from '@kit-run/kit/plugin';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Who calls a public route, and who is not known yet. */
export const NOBODY: Caller = { clientId: '', clientName: '', provider: '', scopes: [], assurance: 'asserted' };

type Refused = Extract<AuthVerdict, { readonly kind: 'refused' }>;

function refuse({ error, detail }: Refused, reply: FastifyReply): KitError {
  reply.header('www-authenticate', `Bearer realm="kit"${error === null ? '' : `, error="${error}"`}`);
  return new KitError('KIT_UNAUTHENTICATED', detail);
}

/**
 * Who calls, and may they: null, or why not. `caller` of the request is set as soon as it is known.
 */
export function authenticator(auth: AuthProvider) {
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    tier: Exclude<HttpTier, 'public'>,
  ): Promise<KitError | null> => {
    const verdict = await auth.authenticate({ authorization: request.headers.authorization });
    if (verdict.kind === 'refused') return refuse(verdict, reply);
    request.caller = verdict.caller;
    const missing = missingScope(verdict.caller, tier);
    if (missing === null) return null;
    await request.routeOptions.config.onScopeMissing?.(request, missing);
    return new KitError('KIT_SCOPE_MISSING', `${verdict.caller.clientId} lacks the scope ${missing}`);
  };
}
