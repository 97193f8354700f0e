import { expect, it, vi } from 'vitest';
import type { Backend, Page } from '../../../../plugins/protocols/src/mcp/backend.js';
import { listResources } from '../../../../plugins/protocols/src/mcp/resource-pages.js';
import type { InboxRow } from '../../../../src/app/review/inbox-types.js';
import { KitError } from '../../../../src/domain/errors.js';
import { CLIENTS } from '../../../support/mcp/clients.js';
import { openMcpServer } from '../../../support/mcp/server.js';
import { mcpWorkspace } from '../../../support/mcp/workspace.js';
import { jobOf } from '../../../support/view-samples.js';

const as = (identity: string) => mcpWorkspace({ server: { auth: { provider: 'none', config: { identity } } } });

it.each(CLIENTS)(
  '$name finds what waits for it, recent runs and what they made',
  { timeout: 60_000 },
  async ({ open }) => {
    const { url } = await openMcpServer(as('qa-1'));
    const client = await open({ url });
    const { structuredContent = {} } = await client.call('run_release', { input: 'ship it' });
    const run = String(structuredContent.job_id);

    const uris = (await client.resources()).map(({ uri }) => uri);
    const item = uris.find((uri) => uri.startsWith('review://')) ?? '';
    expect(uris).toContain(`run://${run}`);
    expect(uris).toContain(`artifact://${run}/${run}/boss`);
    expect(decodeURIComponent(item)).toBe(`review://mpa-${run}:boss-0-qa`);
    const [asked] = await client.read(item);
    expect(asked?.text).toContain('mock answer to: ship it');
    expect(asked?.text).toContain(url);
    const [shown] = await client.read(`run://${run}`);
    expect(JSON.parse(shown?.text ?? '')).toMatchObject({ id: run, status: 'deferred', topology: 'release' });
    for (const uri of ['run://0123456789ab', 'review://nobody', 'review://', 'run://%'])
      await expect(client.read(uri)).rejects.toThrow();
  },
);

it('lists no item to whoever holds none of its roles', async () => {
  const { url } = await openMcpServer(as('somebody'));
  const [first] = CLIENTS;
  const client = await first?.open({ url });
  await client?.call('run_release', { input: 'ship it' });

  const uris = (await client?.resources())?.map(({ uri }) => uri) ?? [];
  expect(uris.filter((uri) => uri.startsWith('run://'))).toHaveLength(1);
  expect(uris.filter((uri) => uri.startsWith('review://'))).toEqual([]);
});

it.each([
  [{ canDecide: true, whyNot: null }, 'waits for you: release as qa', 'asks qa'],
  [
    { canDecide: false, whyNot: 'you submitted it' },
    'waits for others: release as qa',
    'asks qa; you cannot decide it: you submitted it',
  ],
])('says whether whoever calls can decide: %j', async (you, title, description) => {
  const row = {
    item: { id: 'i', role: 'qa', question: null, reason: 'asks qa' },
    asked: { topology: { name: 'release' }, you },
  };
  const { backend } = backendWith(async () => ({ rows: [row as unknown as InboxRow], hasMore: false }));
  expect((await listResources(backend, undefined)).resources[0]).toMatchObject({ title, description });
});

/** Two workspaces, the first with 250 runs; nothing waits, and nothing was made. */
function backendWith(inbox: Backend['inbox'] = async () => ({ rows: [], hasMore: false })) {
  const ids = Array.from({ length: 250 }, (_, at) => at.toString(16).padStart(12, '0'));
  const runs = vi.fn(async (workspace: string, { limit, after }: Page) => {
    const from = after === null ? 0 : ids.indexOf(after) + 1;
    return workspace === '/a'
      ? ids.slice(from, from + limit).map((id) => jobOf({ id }))
      : [jobOf({ id: 'ffffffffffff' })];
  });
  const backend = { workspaces: ['/a', '/b'], tools: async () => [], newest: async () => [], inbox, runs };
  return { backend: backend as unknown as Backend, runs };
}

it('gives pages of bounded size, by a cursor, through all workspaces, each run once', async () => {
  const { backend } = backendWith();
  const seen: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await listResources(backend, cursor);
    expect(page.resources.length).toBeLessThanOrEqual(200);
    seen.push(...page.resources.map(({ uri }) => uri));
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== undefined);
  expect(pages).toBe(3);
  expect(new Set(seen).size).toBe(251);
  expect(seen.at(-1)).toBe('run://ffffffffffff');
});

it.each([
  ['is not text of a cursor', 'nonsense'],
  ['names another workspace', Buffer.from('[2,0,null]').toString('base64url')],
  ['names another part', Buffer.from('[0,9,null]').toString('base64url')],
  ['goes on after nothing', Buffer.from('[0,0,5]').toString('base64url')],
])('refuses a cursor that %s', async (_name, cursor) => {
  await expect(listResources(backendWith().backend, cursor)).rejects.toMatchObject({ code: -32_602 });
});

it('refuses a cursor whose item is gone', async () => {
  const { backend } = backendWith(() => Promise.reject(new KitError('KIT_ITEM_UNKNOWN', 'there is no review item x')));
  const cursor = Buffer.from('[0,0,"x"]').toString('base64url');
  await expect(listResources(backend, cursor)).rejects.toMatchObject({ code: -32_602 });
});
