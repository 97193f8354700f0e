import { type AuthProvider, type Caller, type HttpTier, KitError, missingScope } from '@kit-run/kit/plugin';
import type { FastifyReply, FastifyRequest } from 'fastify';

const NOBODY: Caller = { clientId: '', clientName: '', provider: '', scopes: [], assurance: 'asserted' };

async function tierOf(request: FastifyRequest): Promise<HttpTier> {
  const { tier } = request.routeOptions.config;
  return typeof tier === 'function' ? tier(request) : (tier ?? 'admin');
}

/** Runs before anything of the request is parsed: who calls, and may they. A route without a tier is for administrators. */
export function authenticator(auth: AuthProvider) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.caller = NOBODY;
    const tier = await tierOf(request);
    if (tier === 'public') return;
    const verdict = await auth.authenticate({ authorization: request.headers.authorization });
    if (verdict.kind === 'refused') {
      reply.header('www-authenticate', `Bearer realm="kit"${verdict.error === null ? '' : `, error="${verdict.error}"`}`);
      throw new KitError('KIT_UNAUTHENTICATED', verdict.detail);
    }
    request.caller = verdict.caller;
    const missing = missingScope(verdict.caller, tier);
    if (missing !== null) throw new KitError('KIT_SCOPE_MISSING', `${verdict.caller.clientId} lacks the scope ${missing}`);
  };
}
