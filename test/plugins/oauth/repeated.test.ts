import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askOf, loginWorld } from './login-world.js';

// A provider that tells what it was asked: its words are in messages, and those are read by many.

let doesRefuse = false;
let base = '';
let server: Server;

const metadata = () => ({
  ...{ issuer: base, authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token` },
  ...{ revocation_endpoint: `${base}/token`, response_types_supported: ['code'] },
  ...{ code_challenge_methods_supported: ['S256'], token_endpoint_auth_methods_supported: ['client_secret_basic'] },
});
const tokens = { access_token: 'access/canary+1', refresh_token: 'refresh/canary+1', token_type: 'bearer' };

function answerTo(path: string, asked: string): readonly [number, object] {
  if (path.startsWith('/.well-known/oauth-protected-resource'))
    return [200, { resource: `${base}/mcp`, authorization_servers: [base] }];
  if (path.startsWith('/.well-known/')) return [200, metadata()];
  if (path === '/token' && doesRefuse) return [400, { error: 'invalid_grant', error_description: `sent ${asked}` }];
  return path === '/token' ? [200, { ...tokens, expires_in: 300 }] : [404, {}];
}

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const [status, answer] = answerTo(request.url ?? '', `${body} ${request.headers.authorization ?? ''}`);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // listening on a port gives an address with one
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const SECRETS = /canary|code-1|Y2lkOn/;

it('shows no word of a provider that repeats what it was sent', async () => {
  const world = loginWorld();
  const { logins, prepare } = await world.open();
  const logIn = async (): Promise<string> => {
    const begun = await logins.begin(askOf(`${base}/mcp`, { clientId: 'cid', clientSecret: 'canary of the client' }));
    const query = `code=code-1&state=${begun.state}`;
    return logins.finish({ query, binding: 'the browser of ada' }).then(
      () => 'done',
      (error: Error) => error.message,
    );
  };
  doesRefuse = true;
  const said = await logIn();
  expect(said).toMatch(/the provider answers 400 in words that repeat what was sent$/);

  doesRefuse = false;
  expect(await logIn()).toBe('done');
  doesRefuse = true;
  world.pass(200_000);
  const use = { name: 'notes', config: { endpoint: `${base}/mcp` } };
  const refused = await prepare?.([use], { owner: null, windowS: 900 }).then(
    () => '',
    (error: Error) => error.message,
  );
  expect(refused).toMatch(/in words that repeat what was sent$/);
  const kept = JSON.stringify(await logins.list());
  expect(kept).toContain('in words that repeat what was sent');
  const removed = await logins.remove('notes', 'ada');
  expect(removed.detail).toMatch(/in words that repeat what was sent$/);
  for (const text of [said, refused, kept, removed.detail]) expect(text).not.toMatch(SECRETS);
});
