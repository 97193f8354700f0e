import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contribution as none } from '../../../plugins/auth/src/none.js';
import { createServer } from '../../../plugins/serve/src/server/create-server.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { bundledGroups } from '../../support/http/bundled-groups.js';
import { checkedInject } from '../../support/http/checked-inject.js';
import { ADMITTED, addressOf, noApp, turnedAway } from '../../support/http/turned-away.js';
import { MATRIX } from './matrix.js';

const HOST = 'localhost:8000';

let server: FastifyInstance;
beforeAll(async () => {
  server = await createServer({
    workspace: '/workspace',
    auth: await none.create({}, createTestContext({})),
    groups: (await bundledGroups(noApp(async () => 'run'))).map(turnedAway),
    pages: { isHostChecked: true, allowedHosts: [], publicUrl: null },
  });
});
afterAll(() => server.close());

interface Seen {
  readonly status: number;
  readonly code: string;
}

async function ask(key: string, headers: Readonly<Record<string, string>>): Promise<Seen> {
  const [method = 'GET', pattern = ''] = key.split(' ');
  const answer = await server.inject({ method: method as 'GET', url: addressOf(pattern), headers });
  const code = answer.statusCode === 403 ? (answer.json() as { readonly code: string }).code : '';
  return { status: answer.statusCode, code };
}

it.each([...Object.keys(MATRIX), 'GET /not-a-route', 'OPTIONS /reload'])('%s is for no foreign page', async (key) => {
  const host = { host: 'evil.example:8000' };
  const origin = { host: HOST, origin: 'https://evil.example' };
  expect(await ask(key, { ...host, origin: 'http://evil.example:8000' })).toEqual({
    status: 403,
    code: 'host-refused',
  });
  expect(await ask(key, origin)).toEqual({ status: 403, code: 'origin-refused' });
  expect(await ask(key, { ...origin, 'content-type': 'text/plain' })).toEqual({ status: 403, code: 'origin-refused' });
  expect(await ask(key, { host: HOST, 'sec-fetch-site': 'cross-site' })).toEqual({
    status: 403,
    code: 'origin-refused',
  });
  // A preflight of a page elsewhere gets no permission.
  const preflight = { ...origin, 'access-control-request-method': 'POST' };
  expect(await ask(key, preflight)).toEqual({ status: 403, code: 'origin-refused' });
});

it('a browser that another site leads to the end of a login arrives, and no script of that site', async () => {
  const key = 'GET /auth/mcp/callback';
  const elsewhere = { host: HOST, 'sec-fetch-site': 'cross-site' };
  const arrives = { ...elsewhere, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  expect((await ask(key, arrives)).status).toBe(ADMITTED);
  expect((await ask(key, { ...arrives, 'sec-fetch-dest': 'iframe' })).status).toBe(403);
  expect((await ask(key, { ...elsewhere, 'sec-fetch-mode': 'cors' })).status).toBe(403);
  expect((await ask('GET /jobs', arrives)).status).toBe(403);
});

it('answers are for pages of the server alone, also where a browser says no Origin', async () => {
  const answer = await server.inject({ url: '/health', headers: { host: HOST, 'sec-fetch-site': 'same-site' } });
  expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
});

it.each(Object.keys(MATRIX))('%s is for the command line and for its own page', async (key) => {
  expect((await ask(key, { host: HOST })).status).toBe(ADMITTED);
  expect((await ask(key, { host: '127.0.0.1:8000', origin: 'http://127.0.0.1:8000' })).status).toBe(ADMITTED);
});

it.each([
  ['/jobs/0123456789ab', '/console/runs/0123456789ab'],
  ['/gates/0123456789ab:writer', '/console/gates/0123456789ab:writer'],
  ['/review/mpa-0123456789ab', '/console/items/mpa-0123456789ab'],
])('a browser that a link led to %s is sent to its page, as OpenAPI says', async (url, page) => {
  const answer = await checkedInject(server).inject({ url, headers: { host: HOST, accept: 'text/html' } });

  expect([answer.statusCode, answer.headers.location]).toEqual([303, page]);
});
