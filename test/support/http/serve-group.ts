import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { createServer, type ServerParts } from '../../../plugins/serve/src/server/create-server.js';
import type { MountedGroup } from '../../../src/app/serve/http-app.js';
import type { Contribution } from '../../../src/domain/extension-points.js';
import { TIER_SCOPES } from '../../../src/domain/http-tiers.js';
import type { AuthProvider, HttpTier } from '../../../src/domain/ports/http.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { checkedInject } from './checked-inject.js';
import { reportLosses } from './nothing-lost.js';

export { checkedInject as checked };

const TIERS: readonly string[] = ['read', 'run', 'admin'];
const isTier = (text: string): text is HttpTier => TIERS.includes(text);

/** Bearer `<tier>:<client id>`; everything else is refused. */
export const TEST_AUTH: AuthProvider = {
  authenticate: async ({ authorization }) => {
    const [, tier = '', clientId = ''] = /^Bearer ([a-z]+):(.+)$/.exec(authorization ?? '') ?? [];
    if (!isTier(tier)) return { kind: 'refused', detail: 'no token of this test', error: null };
    return {
      kind: 'caller',
      caller: {
        clientId,
        clientName: clientId,
        provider: 'test',
        scopes: TIER_SCOPES[tier],
        assurance: 'authenticated',
      },
    };
  },
  info: () => ({ mode: 'test' }),
  warnings: [],
  identities: null,
};

/** The header of a caller with this tier. */
export const as = (tier: 'read' | 'run' | 'admin', clientId = 'alice'): { readonly authorization: string } => ({
  authorization: `Bearer ${tier}:${clientId}`,
});

/** One group over the given use cases, as the server mounts it. */
export async function groupOf(
  contribution: Contribution<'httpMounts'>,
  app: object,
  over: Partial<Omit<MountedGroup, 'mount' | 'app'>> = {},
): Promise<MountedGroup> {
  const own = await contribution.create({}, createTestContext({}));
  const mount: typeof own = {
    register: (scope, served) => {
      reportLosses(scope as FastifyInstance);
      return own.register(scope, served);
    },
  };
  return { id: 'test.group', plugin: 'test', isBundled: true, prefix: '', tier: 'admin', mount, app, ...over };
}

/** A server of the given parts, closed when the test ends. */
export async function serveParts(parts: Pick<ServerParts, 'groups'> & Partial<ServerParts>): Promise<FastifyInstance> {
  const server = await createServer({ workspace: '/workspace', auth: TEST_AUTH, ...parts });
  onTestFinished(() => server.close());
  return checkedInject(server);
}

/**
 * One group of routes on kit's own server over the given use cases, closed when the test ends. Ask
 * it with `inject`: each answer is held against the OpenAPI document that the server makes of its
 * schemas.
 */
export async function serveGroup(
  contribution: Contribution<'httpMounts'>,
  app: object,
  tier: HttpTier = 'admin',
): Promise<FastifyInstance> {
  return serveParts({ groups: [await groupOf(contribution, app, { tier })] });
}
