import { expect, test } from 'vitest';
import { gated } from '../../../e2e/review/gated-workspace.js';
import { as } from '../../../support/http/serve-group.js';
import { serveA2a } from '../../../support/protocols/a2a-world.js';

const CARD = '/.well-known/agent-card.json';
const server = (text: string): string => `server: { ${text} }\n`;

test('there is no card and no endpoint until it is turned on, and a reload does that', async () => {
  const world = await serveA2a(gated());
  const statuses = async () =>
    Promise.all(
      [CARD, '/a2a/plain/card'].map(
        async (path) => (await fetch(`${world.url}${path}`, { headers: as('read') })).status,
      ),
    );
  const call = async () =>
    (
      await fetch(`${world.url}/a2a`, {
        method: 'POST',
        headers: { ...as('run'), 'content-type': 'application/json' },
        body: '{}',
      })
    ).status;
  expect([...(await statuses()), await call()]).toEqual([404, 404, 404]);
  await world.write(gated({ workspace: server('a2a: { enabled: true }') }));
  expect(await world.app.serve.reload()).toMatchObject({ valid: true });
  expect([...(await statuses()), await call()]).toEqual([200, 200, 200]);
});

test('the card of 0.3 is public, and names a skill a topology', async () => {
  const world = await serveA2a(gated({ workspace: server('a2a: { enabled: true }') }));
  const answer = await fetch(`${world.url}${CARD}`);
  expect(Object.fromEntries(answer.headers)).toMatchObject({ vary: 'A2A-Version', 'cache-control': 'no-store' });
  expect(await answer.json()).toMatchObject({
    name: 'Gated',
    protocolVersion: '0.3.0',
    url: `${world.url}/a2a`,
    preferredTransport: 'JSONRPC',
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extensions: expect.arrayContaining([
        expect.objectContaining({
          uri: 'urn:kit:a2a:federation:v1',
          params: expect.objectContaining({ honors_budget: true, deduplicates: true }),
        }),
      ]),
    },
    skills: [
      { id: 'plain', name: 'plain', description: 'Nobody signs.' },
      { id: 'release', name: 'release', description: 'One gated agent.' },
    ],
    supportedInterfaces: [{ protocolVersion: '1.0' }, { protocolVersion: '0.3' }],
  });
});

test('the card of 1.0 and the card of one topology say the rest', async () => {
  const world = await serveA2a(gated({ workspace: server('a2a: { enabled: true }') }));
  const one = await (await fetch(`${world.url}${CARD}`, { headers: { 'a2a-version': '1.0' } })).json();
  expect(one).toMatchObject({
    supportedInterfaces: [
      { url: `${world.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: `${world.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
  });
  expect(one).not.toHaveProperty('url');
  const plain = await (await fetch(`${world.url}/a2a/plain/card`, { headers: as('read') })).json();
  expect(plain).toMatchObject({ name: 'plain - Gated', url: `${world.url}/a2a/plain`, skills: [{ id: 'plain' }] });
  expect((await fetch(`${world.url}/a2a/nothere/card`, { headers: as('read') })).status).toBe(404);
  expect((await fetch(`${world.url}/a2a/plain/card`)).status).toBe(401);
});

test('identity and public address stand in the card, which is kept and answered by its tag', async () => {
  const identity = 'identity: { name: Desk, description: Helps., organization: Acme, url: "https://desk.example/" }';
  const world = await serveA2a(
    gated({ workspace: server(`public_url: "https://kit.example", a2a: { enabled: true, ${identity} }`) }),
  );
  const answer = await fetch(`${world.url}${CARD}`);
  expect(await answer.json()).toMatchObject({
    name: 'Desk',
    description: 'Helps.',
    url: 'https://desk.example/a2a',
    provider: { organization: 'Acme', url: 'https://desk.example' },
  });
  const etag = answer.headers.get('etag') ?? '';
  expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
  expect((await fetch(`${world.url}${CARD}`, { headers: { 'if-none-match': etag } })).status).toBe(304);
  const other = await fetch(`${world.url}${CARD}`, { headers: { 'if-none-match': etag, 'a2a-version': '1.0' } });
  expect(other.status).toBe(200);
});

test.each([
  ['0.3', { securitySchemes: { api_key: { type: 'http', scheme: 'bearer' } }, security: [{ api_key: [] }] }],
  [
    '1.0',
    {
      securitySchemes: { api_key: { httpAuthSecurityScheme: { scheme: 'bearer' } } },
      securityRequirements: [{ schemes: { api_key: { list: [] } } }],
    },
  ],
])('under keys the card of %s asks for a bearer', async (version, wanted) => {
  const auth = 'auth: { provider: api_key, config: { keys: [{ key_ref: "env:KEY", client_id: a, tier: run }] } }';
  const world = await serveA2a(gated({ workspace: server(`a2a: { enabled: true }, ${auth}`) }), {
    env: { KEY: 'a-long-enough-secret-of-a-test' },
  });
  expect(await (await fetch(`${world.url}${CARD}`, { headers: { 'a2a-version': version } })).json()).toMatchObject(
    wanted,
  );
});
