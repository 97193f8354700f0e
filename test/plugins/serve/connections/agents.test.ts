import { expect, test } from 'vitest';
import { contribution } from '../../../../plugins/serve/src/mounts/connections/mount.js';
import { openApp } from '../../../support/http/open-app.js';
import { as, groupOf, serveParts } from '../../../support/http/serve-group.js';
import { caller, cardOf, desk, peer, withUrl } from '../../../support/protocols/remote-world.js';

/** A server of a workspace whose only skill is an agent elsewhere. */
async function served(card = 'https://desk.example/card') {
  const { app, workspace } = await openApp(caller(card, 'plain', { more: ', on_unanswerable: relay' }));
  const group = await groupOf(contribution, app, { id: 'kit.http-connections', tier: 'admin' });
  const server = await serveParts({ groups: [group], workspace });
  const get = async (url: string, who: 'read' | 'admin' = 'admin') => {
    const { statusCode, json } = await server.inject({ url, headers: as(who) });
    return { status: statusCode, body: json() };
  };
  return { get, probe: (url: string) => get(`/api/a2a/probe?card_url=${encodeURIComponent(url)}`) };
}

test('lists the agents that skills call, under the names of the interface and of the YAML', async () => {
  const { get } = await served();
  expect(await get('/api/a2a/agents', 'read')).toEqual({
    status: 200,
    body: {
      agents: [
        {
          ...{ id: 'desk', description: 'Asks the desk.', on_unanswerable: 'relay', effects: 'read', timeout_s: 1800 },
          ...{ card: 'https://desk.example/card', skill: 'plain', credential: 'peer', tier: 'open' },
          ...{ card_url: 'https://desk.example/card', skill_id: 'plain', credentials_ref: 'peer', permission: 'open' },
        },
      ],
    },
  });
});

test('reads the card of another kit, and sends no credential', async () => {
  const callee = await desk();
  const { probe, get } = await served();
  const { status, body } = await probe(cardOf(callee));
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { supported: true, name: 'Gated', url: `${callee.url}/a2a`, streaming: true },
  });
  expect(body.skills.map(({ id }: { readonly id: string }) => id).sort()).toEqual(['plain', 'release']);
  expect((await get(`/api/a2a/probe?card_url=${encodeURIComponent(cardOf(callee))}`, 'read')).status).toBe(403);
});

test.each<readonly [string, Parameters<typeof peer>[0], string]>([
  ['a page', () => ({ type: 'text/html', body: '<html></html>' }), 'JSON'],
  ['nothing', () => ({ status: 404, body: '' }), '404'],
  ['5 MiB', () => ({ body: 'x'.repeat(5 * 1024 * 1024) }), 'bytes'],
  ['another origin', () => ({ body: JSON.stringify(withUrl('https://elsewhere.example/a2a')) }), 'another origin'],
])('says of an address that answers with %s why no skill can call it', async (_what, answer, says) => {
  const { probe } = await served();
  expect(await probe(await peer(answer))).toEqual({
    status: 200,
    body: { supported: false, detail: expect.stringContaining(says) },
  });
});
