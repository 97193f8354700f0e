import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { LOCAL_DOOR } from '../../../../src/domain/gates.js';
import { gated } from '../../../e2e/review/gated-workspace.js';
import { type AppWorld, openApp } from '../../../support/http/open-app.js';
import { type A2aWorld, serveA2a } from '../../../support/protocols/a2a-world.js';

const CALL = JSON.stringify([
  { tool_calls: [{ name: 'desk', input: { input: 'Release it' } }] },
  { text: 'passed on' },
]);

/** A workspace whose `front` asks the agent of this card. */
const caller = (card: string, skill: string): Record<string, string> => ({
  'workspace.yaml': `apiVersion: kit/v1
kind: Workspace
metadata: { id: caller, name: Caller }
memory: { enabled: false }
credentials: { peer: { source: env, config: { env: PEER_TOKEN } } }
`,
  'topologies/front.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: front, version: 1.0.0 }
agents:
  root:
    id: boss
    role: root
    model: { provider: mock, name: m1, options: { script: ${CALL} } }
    prompt: { system: You lead. }
    skills: [desk]
`,
  'skills/desk.yaml': `apiVersion: kit/v1
kind: Skill
metadata: { id: desk, name: Desk, description: Asks the desk. }
category: capability
implementation: { type: agent, card_url: '${card}', skill_id: ${skill}, credentials_ref: peer, permission: open, effects: read }
provenance: { authored_by: human, version: 1.0.0 }
`,
});

const PEER = { PEER_TOKEN: 'run:kit-a' };
const asker = { identity: 'qa-1', assurance: 'asserted' } as const;

async function ask(card: string, skill = 'plain', env: Readonly<Record<string, string>> = {}) {
  const world = await openApp(caller(card, skill), { ...PEER, ...env });
  const handle = await world.app.runs.start({
    ...{ workspace: world.workspace, topology: 'front', input: 'hello', attachments: [], correlationId: null },
    ...{ labels: {}, supersedes: null, submittedBy: asker, timeoutMs: null, trust: [] },
  });
  return { ...world, handle };
}

/** Each event of a run in words. */
async function linesOf(
  { app, workspace }: Pick<AppWorld, 'app' | 'workspace'>,
  job: string,
): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(10_000);
  const lines: string[] = [];
  for await (const item of await app.jobs.stream({ workspace, job, afterSeq: 0, signal }))
    if (item.kind === 'line') lines.push(item.text);
  return lines;
}

const desk = () => serveA2a(gated({ workspace: 'server: { a2a: { enabled: true } }\n' }));
const cardOf = ({ url }: A2aWorld): string => `${url}/.well-known/agent-card.json`;

test('a skill asks a topology of another kit, with its credential, and takes its answer', async () => {
  const callee = await desk();
  const { handle, app, workspace } = await ask(cardOf(callee));
  const job = await handle.done;
  expect(job).toMatchObject({ status: 'completed', output: 'passed on' });
  const [run, ...others] = await callee.app.jobs.list({ workspace: callee.workspace });
  expect(others).toEqual([]);
  expect(run).toMatchObject({
    status: 'completed',
    source: 'a2a',
    input: 'Release it',
    submittedBy: { identity: 'kit-a', assurance: 'authenticated' },
  });
  expect(run?.earlier.map(({ submittedBy }) => submittedBy.identity)).toEqual(['qa-1']);
  const told = (await linesOf({ app, workspace }, job.id)).join('\n');
  expect(told).toContain(`run ${run?.id} at ${callee.url}/a2a`);
  expect(told).not.toContain(PEER.PEER_TOKEN);
});

test('the address of a card may stand in a variable, which no event repeats', async () => {
  const callee = await desk();
  const { handle, ...world } = await ask('${PEER_CARD}', 'plain', { PEER_CARD: cardOf(callee) });
  const job = await handle.done;
  expect(job.status).toBe('completed');
  expect(await callee.app.jobs.list({ workspace: callee.workspace })).toHaveLength(1);
  expect((await linesOf(world, job.id)).join('\n')).not.toContain('.well-known');
});

test('people of the other kit decide, and the caller goes on by itself', { timeout: 90_000 }, async () => {
  const callee = await desk();
  const { handle } = await ask(cardOf(callee), 'release');
  const parked = async () => (await callee.app.jobs.list({ workspace: callee.workspace }))[0]?.status;
  await expect.poll(parked, { timeout: 20_000 }).toBe('deferred');
  const pending = { kind: null, gate: null, show: 'pending', limit: 10, afterId: null } as const;
  const { items } = await callee.app.review.list({ workspace: callee.workspace, ...pending });
  for (const { id } of items)
    for (const identity of ['qa-2', 'ops-1'])
      await callee.app.review
        .resolve({ workspace: callee.workspace, item: id, identity, door: LOCAL_DOOR, outcome: 'approve', comment: '' })
        .catch(() => null); // the item of the other role
  expect(await handle.done).toMatchObject({ status: 'completed', output: 'passed on' });
  expect(await callee.app.jobs.list({ workspace: callee.workspace })).toHaveLength(1);
});

/** A peer that answers its card and its calls as it likes. */
async function peer(
  answer: (url: string, body: string, origin: string) => { type?: string; body: string; status?: number },
) {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const { port } = server.address() as AddressInfo;
      const {
        type = 'application/json',
        status = 200,
        ...said
      } = answer(request.url ?? '', body, `http://127.0.0.1:${port}`);
      response.writeHead(status, { 'content-type': type }).end(said.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const CARD = { name: 'Peer', skills: [{ id: 'plain', name: 'plain' }], capabilities: {} };
const withUrl = (url: string) => ({
  ...CARD,
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
});
const rpc = (body: string, result: unknown, id?: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: id ?? JSON.parse(body).id, result });
const task = (state: string, over: object = {}) => ({ task: { id: 't1', contextId: 'c', status: { state }, ...over } });

test.each<readonly [string, Parameters<typeof peer>[0], string]>([
  ['a page', () => ({ type: 'text/html', body: '<html>hello</html>' }), 'KIT_AGENT_INVALID'],
  ['5 MiB', () => ({ body: 'x'.repeat(5 * 1024 * 1024) }), 'remote_timeout'],
  [
    'no skills',
    (_u, _b, origin) => ({ body: JSON.stringify({ ...withUrl(`${origin}/a2a`), skills: [] }) }),
    'KIT_AGENT_INVALID',
  ],
  [
    'another version',
    (_u, _b, origin) => ({
      body: JSON.stringify({ ...CARD, url: origin, protocolVersion: '2.0' }),
    }),
    'KIT_AGENT_INVALID',
  ],
  ['another host', () => ({ body: JSON.stringify(withUrl('https://elsewhere.example/a2a')) }), 'KIT_A2A_ORIGIN'],
])('a card that is %s fails the call and reveals nothing', { timeout: 30_000 }, async (_what, answer, reason) => {
  const seen: string[] = [];
  const url = await peer((path, body, origin) => {
    seen.push(body);
    return answer(path, body, origin);
  });
  const files = caller(url, 'plain');
  const short = {
    'skills/desk.yaml': (files['skills/desk.yaml'] ?? '').replace('effects: read', 'effects: read, timeout_s: 1'),
  };
  const world = await openApp({ ...files, ...short }, PEER);
  const handle = await world.app.runs.start({
    ...{ workspace: world.workspace, topology: 'front', input: 'hello', attachments: [], correlationId: null },
    ...{ labels: {}, supersedes: null, submittedBy: asker, timeoutMs: null, trust: [] },
  });
  const job = await handle.done;
  expect(job.status).toBe('completed');
  expect((await linesOf(world, job.id)).join('\n')).toContain(reason);
  expect(seen.filter((body) => body !== '')).toEqual([]);
});

test.each<readonly [string, (body: string) => string, string]>([
  ['another id', (body) => rpc(body, task('TASK_STATE_COMPLETED'), 'other'), 'KIT_AGENT_INVALID'],
  ['no task', (body) => rpc(body, { message: 'hello' }), 'KIT_AGENT_INVALID'],
  ['another state', (body) => rpc(body, task('TASK_STATE_WONDER')), 'KIT_AGENT_INVALID'],
  ['a failure', (body) => rpc(body, task('TASK_STATE_FAILED')), 'remote_failed'],
  ['a question', (body) => rpc(body, task('TASK_STATE_INPUT_REQUIRED')), 'remote_unanswerable'],
])('a peer that answers with %s fails the call', async (_what, answer, reason) => {
  const url = await peer((path, body, origin) => ({
    body: path === '/a2a' ? answer(body) : JSON.stringify(withUrl(`${origin}/a2a`)),
  }));
  const { handle, ...world } = await ask(url);
  const job = await handle.done;
  expect((await linesOf(world, job.id)).join('\n')).toContain(reason);
});
