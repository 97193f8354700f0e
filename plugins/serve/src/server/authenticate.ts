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

function refuse({ error, detail }: Refused, reply: FastifyReply, help: string | null): KitError {
  const why = error === null ? '' : `, error="${error}"`;
  const where = help === null ? '' : `, resource_metadata="${help}"`;
  reply.header('www-authenticate', `Bearer realm="kit"${why}${where}`);
  return new KitError('KIT_UNAUTHENTICATED', detail);
}

/** A route that cannot tell refuses all the same. */
function helpFor(request: FastifyRequest, auth: AuthProvider): string | null {
  try {
    return request.routeOptions.config.tokenHelp?.(request, auth.info()) ?? null;
  } catch {
    return null;
  }
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
    if (verdict.kind === 'refused') return refuse(verdict, reply, helpFor(request, auth));
    request.caller = verdict.caller;
    const missing = missingScope(verdict.caller, tier);
    if (missing === null) return null;
    await request.routeOptions.config.onScopeMissing?.(request, missing);
    return new KitError('KIT_SCOPE_MISSING', `${verdict.caller.clientId} lacks the scope ${missing}`);
  };
}

/** Whether the caller of a request would be let in with it now, as the one who came. */
export async function isStillAdmitted(
  auth: AuthProvider,
  { headers, caller }: FastifyRequest,
  tier: Exclude<HttpTier, 'public'>,
): Promise<boolean> {
  const verdict = await auth.authenticate({ authorization: headers.authorization });
  if (verdict.kind === 'refused') return false;
  return verdict.caller.clientId === caller.clientId && missingScope(verdict.caller, tier) === null;
}
