import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createServer } from '../../../plugins/serve/src/server/create-server.js';
import { bundledGroups } from '../../support/http/bundled-groups.js';
import { type TokenCallers, tokenCallers } from '../../support/http/token-callers.js';
import { addressOf, noApp } from '../../support/http/turned-away.js';

let server: FastifyInstance;
let callers: TokenCallers;
beforeAll(async () => {
  callers = await tokenCallers();
  const groups = await bundledGroups(noApp(async () => 'public'));
  server = await createServer({ workspace: '/workspace', auth: callers.auth, groups });
});
afterAll(() => server.close());

const ask = (method: string, url: string) =>
  server.inject({ method: method as 'GET', url, headers: callers.headers.admin });

it('a query parameter that a route does not name is refused on every route, and before its use case is asked', async () => {
  const routes = server.serving
    .routes()
    .filter(({ isHidden, pattern }) => !isHidden && !['/hooks/:name', '/auth/mcp/callback'].includes(pattern));
  expect(routes.length).toBeGreaterThan(60);
  for (const { method, pattern } of routes) {
    const refused = await ask(method, `${addressOf(pattern)}?no_such_parameter=1`);
    expect([method, pattern, refused.statusCode]).toEqual([method, pattern, 422]);
    if (method !== 'HEAD')
      expect(refused.json(), pattern).toMatchObject({
        code: 'request-invalid',
        errors: [{ pointer: '/query/no_such_parameter', code: 'additionalProperties' }],
      });
  }
});

it('the refusal says which there are', async () => {
  expect((await ask('GET', '/audit?type=run.ended')).json()).toMatchObject({
    detail: expect.stringMatching(/^type: no query parameter of this route, which takes run_id, .*types/),
  });
});

it('a webhook is taken with whatever its sender appends', async () => {
  expect((await ask('POST', '/hooks/idle?x=1')).statusCode).not.toBe(422);
});

it.each([
  ['GET', '/jobs/'],
  ['GET', '/jobs//diff'],
  ['GET', '/gates/?author=x'],
  ['GET', '/api/skills/'],
  ['DELETE', '/api/skills/'],
  ['GET', '/api/oauth/credentials/'],
  ['POST', '/conversations/'],
  ['OPTIONS', '/run/'],
])('a path with a part that is empty is no route: %s %s', async (method, url) => {
  const refused = await ask(method, url);
  expect(refused.statusCode).toBe(404);
  expect(refused.json()).toMatchObject({
    code: 'route-unknown',
    detail: `there is no route ${method} ${url.split('?')[0]}`,
  });
});
