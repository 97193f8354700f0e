import { expect, it } from 'vitest';
import { randomFrom, seed } from '../support/crash-share.js';
import { below, mutate, oneOf, type Random } from '../support/fuzz-mutations.js';
import { changed, dataOf, isObject, isRpc, parsed } from '../support/fuzz-rpc.js';
import { type McpServer, openMcpServer } from '../support/mcp/server.js';
import { mcpWorkspace } from '../support/mcp/workspace.js';

/** Bodies of a share; `npm run fuzz` sends 50,000. */
const COUNT = Number(process.env.KIT_TEST_FUZZ_HTTP ?? '1000');
const AT_ONCE = 8;

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: { url: {} },
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};
const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });

/** What clients of both revisions send, but what begins runs: those come seldom. */
const BASES: readonly object[] = [
  message('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  }),
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'x' } },
  message('ping'),
  message('tools/list', { cursor: 'a' }),
  message('tools/call', { name: 'kit_job', arguments: { job_id: '0123456789ab', wait_seconds: 0, stop: false } }),
  message('tools/call', { name: 'run_shaped', arguments: { n: 'x', attachments: [{ name: 'a', data: 'b' }] } }),
  message('tools/call', {
    name: 'run_shaped',
    arguments: { n: 'x' },
    _meta: { 'kit/labels': { a: 'b' }, 'kit/step_id': 's' },
  }),
  message('resources/list'),
  message('resources/templates/list'),
  message('resources/read', { uri: 'topology://idle' }),
  message('resources/read', { uri: 'artifact://a/b/c%23d' }),
  message('server/discover', { _meta: META }),
  message('tools/list', { _meta: META }),
  message('tools/call', { name: 'kit_job', arguments: { job_id: '0123456789ab', wait_seconds: 0 }, _meta: META }),
  message('tools/call', { name: 'run_shaped', arguments: { n: 'x' }, requestState: '0123456789ab.x', _meta: META }),
  message('tasks/get', { taskId: '0123456789ab', _meta: META }),
  message('tasks/update', { taskId: 'x', inputResponses: { gate: { action: 'accept' } }, _meta: META }),
  message('tasks/cancel', { taskId: 'x', _meta: META }),
  [message('ping'), { ...message('tools/list'), id: 2 }],
  { jsonrpc: '2.0', id: 'x', result: { action: 'accept' } },
];
const RUNS: readonly object[] = [
  message('tools/call', { name: 'run_idle', arguments: { input: 'hi' }, _meta: { progressToken: 1 } }),
  message('tools/call', { name: 'run_shaped', arguments: { n: 1 }, _meta: META }),
];

interface Sent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function sentBy(random: Random): Sent {
  const base = oneOf(random, random() < 0.02 ? RUNS : BASES);
  const text = JSON.stringify(base);
  const donor = oneOf(random, BASES);
  const how = random();
  const body =
    how < 0.1 ? text : how < 0.85 ? changed(base, donor, random) : mutate(text, JSON.stringify(donor), random);
  const { method, params } = base as { readonly method?: string; readonly params?: Record<string, unknown> };
  const isModern = text.includes(REVISION) && random() < 0.9;
  const name = params?.name ?? params?.taskId ?? params?.uri;
  return {
    body,
    headers: {
      'content-type': random() < 0.97 ? 'application/json' : 'text/plain',
      accept: random() < 0.97 ? 'application/json, text/event-stream' : oneOf(random, ['*/*', 'application/json', 'x']),
      ...(isModern ? { 'mcp-protocol-version': REVISION, 'mcp-method': String(method) } : {}),
      ...(isModern && typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...(random() < 0.05 ? { 'mcp-protocol-version': `20${below(random, 99)}-01-01` } : {}),
    },
  };
}

/** What is wrong with an answer; null = nothing. */
function misfit(status: number, type: string, text: string): string | null {
  if (status >= 500) return `status ${status}`;
  if (status === 202) return text === '' ? null : 'a body of 202';
  if (type.startsWith('text/event-stream')) return dataOf(text).every(isRpc) ? null : 'a frame that is not a message';
  const body = parsed(text);
  if (type.startsWith('application/problem+json'))
    return isObject(body) && body.status === status ? null : 'no problem';
  if (![200, 400, 404, 406, 415].includes(status)) return `status ${status} without a problem`;
  return isRpc(body) ? null : 'no response of JSON-RPC';
}

async function send(
  { url }: McpServer,
  { body, headers }: Sent,
): Promise<{ readonly key: string; readonly wrong: string | null }> {
  const over = AbortSignal.timeout(60_000);
  const asked = fetch(`${url}/mcp/`, { method: 'POST', headers, body, signal: over });
  const read = asked.then(async (answer) => ({ answer, text: await answer.text() }));
  const seen = await read.catch((error: unknown) => String(error));
  if (typeof seen === 'string')
    return { key: 'none', wrong: `${seen} <- ${JSON.stringify(headers)} ${body.slice(0, 1000)}` };
  const { answer, text } = seen;
  const type = answer.headers.get('content-type') ?? '';
  const wrong = misfit(answer.status, type, text);
  return {
    key: `${answer.status} ${type.split(';')[0] ?? ''}`.trim(),
    wrong: wrong === null ? null : `${wrong}: ${text.slice(0, 200)} <- ${body.slice(0, 500)}`,
  };
}

it(
  'whatever is sent to /mcp/: a response of JSON-RPC, a problem, or nothing where nothing is due; never a 500',
  async () => {
    const server = await openMcpServer(
      mcpWorkspace({ server: { mcp: { wait_seconds: 1 }, jobs: { max_concurrent: 50, shutdown_seconds: 0 } } }),
    );
    const random = randomFrom(seed());
    const statuses = new Map<string, number>();
    const failures: string[] = [];
    for (let sent = 0; sent < COUNT; sent += AT_ONCE) {
      const bodies = Array.from({ length: AT_ONCE }, () => sentBy(random));
      for (const { key, wrong } of await Promise.all(bodies.map((body) => send(server, body)))) {
        statuses.set(key, (statuses.get(key) ?? 0) + 1);
        if (wrong !== null) failures.push(wrong);
      }
    }

    console.log(`fuzz of MCP: seed ${seed()}, ${COUNT} bodies, ${JSON.stringify(Object.fromEntries(statuses))}`);
    expect(failures.slice(0, 20)).toEqual([]);
    const log = server.logged().split('\n');
    expect(
      log.filter((line) => /does not declare|KIT_INTERNAL|failed to answer|a call over MCP failed/.test(line)),
    ).toEqual([]);
    expect([...statuses.keys()]).toEqual(
      expect.arrayContaining(['200 application/json', '400 application/json', '400 application/problem+json', '202']),
    );
  },
  Math.max(180_000, COUNT * 30),
);
