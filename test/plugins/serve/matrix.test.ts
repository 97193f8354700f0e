import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '../../../plugins/serve/src/server/create-server.js';
import { firstSegment, RESERVED_SEGMENTS } from '../../../src/app/serve/reserved-paths.js';
import type { HttpTier } from '../../../src/domain/ports/http.js';
import { type BundledGroup, bundledGroups } from '../../support/http/bundled-groups.js';
import { type CallerKind, type TokenCallers, tokenCallers } from '../../support/http/token-callers.js';
import { ADMITTED, addressOf, noApp, turnedAway } from '../../support/http/turned-away.js';
import { MATRIX, OUTCOMES } from './matrix.js';

/** What a route that decides by the request is told to ask for. */
const asked: { tier: HttpTier } = { tier: 'run' };

let server: FastifyInstance;
let callers: TokenCallers;
let groups: readonly BundledGroup[];
beforeAll(async () => {
  callers = await tokenCallers();
  groups = await bundledGroups(noApp(async () => asked.tier));
  server = await createServer({ workspace: '/workspace', auth: callers.auth, groups: groups.map(turnedAway) });
});
afterAll(() => server.close());

const listed = () => server.serving.routes().filter(({ isHidden }) => !isHidden);
const keyOf = ({ method, pattern }: { readonly method: string; readonly pattern: string }): string =>
  `${method === 'HEAD' ? 'GET' : method} ${pattern}`;

async function outcome(key: string, kind: CallerKind): Promise<number | 'in'> {
  const [method = 'GET', pattern = ''] = key.split(' ');
  const { statusCode } = await server.inject({
    method: method as 'GET',
    url: addressOf(pattern),
    headers: callers.headers[kind],
  });
  return statusCode === ADMITTED ? 'in' : statusCode;
}

describe('the matrix of routes and callers', () => {
  it('lists every route of the full server, and none that is not there', () => {
    const routes = [...new Set(listed().map(keyOf))];
    const inMatrix = Object.keys(MATRIX);
    expect(
      routes.filter((route) => !inMatrix.includes(route)),
      'name its tier in test/plugins/serve/matrix.ts',
    ).toEqual([]);
    expect(
      inMatrix.filter((route) => !routes.includes(route)),
      'no group mounts it',
    ).toEqual([]);
  });

  it('says of every route what it asks for', () => {
    expect(Object.fromEntries(listed().map((route) => [keyOf(route), route.tier]))).toEqual(MATRIX);
  });

  it('follows the map of the interface: reading is for readers, changing the workspace for administrators, everything else is a run', () => {
    const byMap = ([method = '', pattern = '']: readonly string[]): string => {
      if (['/health', '/auth-info'].includes(pattern) || pattern.startsWith('/.well-known/')) return 'public';
      if (pattern.startsWith('/hooks/')) return 'by-request';
      // A browser and a provider carry no bearer; state and cookie say whose login it is.
      // Whoever signs in has no token yet.
      if (pattern === '/auth/oidc/token') return 'public';
      if (['/auth/mcp/callback', '/auth/mcp/client.json'].includes(pattern)) return 'public';
      // Everybody's logins are for administrators, the caller's own for whoever may run.
      if (pattern.startsWith('/api/oauth/credentials')) return method === 'GET' ? 'admin' : 'run';
      // It reads nothing of the workspace: it calls whom the caller names.
      if (pattern.endsWith('/probe')) return 'admin';
      if (method === 'GET') return 'read';
      return /^\/(api|canary)\//.test(pattern) || pattern === '/reload' ? 'admin' : 'run';
    };
    expect(Object.fromEntries(Object.keys(MATRIX).map((key) => [key, byMap(key.split(' '))]))).toEqual(MATRIX);
  });

  const rows = Object.entries(MATRIX).flatMap(([key, tier]) =>
    tier === 'by-request' ? (['public', 'run'] as const).map((one) => ({ key, tier: one })) : [{ key, tier }],
  );

  it.each(rows)('holds for $key ($tier)', async ({ key, tier }) => {
    asked.tier = tier;
    const kinds = Object.keys(callers.headers) as readonly CallerKind[];
    const seen: Record<string, number | 'in'> = {};
    for (const kind of kinds) seen[kind] = await outcome(key, kind);
    expect(seen).toEqual(OUTCOMES[tier]);
  });

  it('holds for hidden routes as well: nobody unknown gets in, but to the pages of the console', async () => {
    const hidden = server.serving.routes().filter(({ isHidden }) => isHidden);
    const isPage = ({ pattern }: { readonly pattern: string }): boolean => /^\/console(?:\/\*)?$/.test(pattern);
    for (const { method, pattern } of hidden.filter((route) => !isPage(route)))
      expect(await outcome(`${method} ${pattern}`, 'none'), pattern).toBe(401);
    // Files that are the same for everybody, and hold nothing of a workspace.
    expect(hidden.filter(isPage).map(({ method, pattern, tier }) => `${method} ${pattern} ${tier}`)).toEqual(
      ['/console', '/console/*'].flatMap((pattern) => [`GET ${pattern} public`, `HEAD ${pattern} public`]),
    );
  });

  it('keeps the first segment of each of its routes from third parties', () => {
    const own = new Set(listed().map(({ pattern }) => firstSegment(pattern)));
    expect(
      [...own].filter((segment) => !RESERVED_SEGMENTS.has(segment)),
      'node scripts/openapi-types.mjs names it, and then the build',
    ).toEqual([]);
  });
});

describe('every route of the full server', () => {
  it('has a summary, and a description of what it answers', () => {
    const { paths } = server.swagger() as unknown as {
      readonly paths: Record<string, Record<string, { readonly summary?: string; readonly responses: object }>>;
    };
    const bare = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { summary, responses }]) => {
        const success = Object.entries(responses).filter(([status]) => status.startsWith('2'));
        const isDescribed =
          success.length > 0 && success.every(([, answer]) => 'content' in answer || 'headers' in answer);
        const isEnglish = !/\ba [aeio]/i.test(summary ?? ''); // made of the name of a kind
        return summary !== undefined && isDescribed && isEnglish ? [] : [`${method.toUpperCase()} ${path}`];
      }),
    );
    expect(bare).toEqual([]);
  });

  it('is of a group that names use cases in its manifest, if it uses any', () => {
    expect(groups.length).toBeGreaterThan(0);
    expect(groups.filter(({ prefix }) => prefix !== '').map(({ id }) => id)).toEqual([]);
  });
});
