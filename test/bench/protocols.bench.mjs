// kit among other agents, as it is built, in a process of its own. Calls: a run of one agent that
// answers at once, asked for and read to its end over kept connections, as `POST /run` with the
// stream of its job, as a blocking message of A2A, and as a call of a tool of MCP; the processor
// time of the server, in rounds that alternate. Streams: 500 readers of one run that works, as job
// streams and as subscriptions of A2A; the heap after a collection. Waiting: 1,000 runs, each of
// which waits for a task of an agent elsewhere that has streams.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { inDirectory } from './support/directory.mjs';
import { loadNow, median, ms, show } from './support/figures.mjs';

const PROGRAM = fileURLToPath(new URL('support/kit-server.mjs', import.meta.url));
const ROUNDS = 7;
const CALLS = 60;
const AT_ONCE = 6;
const STREAMS = 500;
const WAITING = 1000;
const MAX_STREAMS = 200;
const MB = 1e6;
const SLOW_MS = 120_000;
const JSON_TYPE = { 'content-type': 'application/json' };

const model = { provider: 'mock', name: 'mock' };
const topology = (name, root) => ({
  apiVersion: 'kit/v1',
  kind: 'Topology',
  metadata: { name, version: '1.0.0' },
  agents: { root: { id: 'boss', role: 'root', model, ...root } },
});
const scripted = (script) => ({ model: { ...model, options: { script } } });

const documents = (card) => ({
  'workspace.yaml': {
    apiVersion: 'kit/v1',
    kind: 'Workspace',
    metadata: { id: 'bench', name: 'Bench' },
    memory: { enabled: false },
    server: { jobs: { max_concurrent: 100_000 }, a2a: { enabled: true } },
  },
  'topologies/idle.yaml': topology('idle', {}),
  'topologies/slow.yaml': topology('slow', scripted([{ latency_ms: SLOW_MS, text: 'done' }])),
  'topologies/front.yaml': topology('front', {
    ...scripted([{ tool_calls: [{ name: 'desk', input: { input: 'x' } }] }, { text: 'done' }]),
    skills: ['desk'],
  }),
  'skills/desk.yaml': {
    apiVersion: 'kit/v1',
    kind: 'Skill',
    metadata: { id: 'desk', name: 'Desk', description: 'Asks the desk.' },
    category: 'capability',
    implementation: { type: 'agent', card_url: card, skill_id: 'talk', permission: 'open', effects: 'read' },
    provenance: { authored_by: 'human', version: '1.0.0' },
  },
});

const post = (url, body, headers = {}) =>
  fetch(url, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) });
const rpc = (method, params) => ({ jsonrpc: '2.0', id: 1, method, params });

const peer = await openPeer();
await inDirectory(async (directory) => {
  for (const [path, document] of Object.entries(documents(`${peer.url}/card`))) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), JSON.stringify(document));
  }
  const env = { ...process.env, HOME: directory, XDG_CONFIG_HOME: directory, XDG_DATA_HOME: join(directory, 'data') };
  const child = spawn(process.execPath, ['--expose-gc', PROGRAM, directory], {
    env: { ...env, KIT_MOCK_LATENCY_MS: '0' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  const { url } = await next();
  const costs = async () => {
    child.stdin.write('\n');
    return next();
  };
  console.log(`one server in a process of its own; medians of ${ROUNDS} rounds of ${CALLS} calls, ${loadNow()}`);
  await calls(url, costs);
  await waiting(url, costs);
  await streams(url, costs);
  child.stdin.end();
  await once(child, 'close');
});
await peer.close();

async function calls(url, costs) {
  let n = 0;
  const message = () => ({
    role: 'user',
    kind: 'message',
    messageId: `m${n++}`,
    parts: [{ kind: 'text', text: 'Go.' }],
  });
  const ways = {
    'POST /run and its stream': async () => {
      const { id } = await (await post(`${url}/run/idle`, { input: 'Go.' })).json();
      const text = await (await fetch(`${url}/jobs/${id}/stream`)).text();
      if (!text.includes('status=completed')) throw new Error(text);
    },
    'a message of A2A': async () => {
      const params = { message: message(), configuration: { blocking: true } };
      const { result } = await (await post(`${url}/a2a/idle`, rpc('message/send', params))).json();
      if (result?.status.state !== 'completed') throw new Error(JSON.stringify(result));
    },
    'a tool of MCP': async () => {
      const params = { name: 'run_idle', arguments: { input: 'Go.' } };
      const accept = 'application/json, text/event-stream';
      const text = await (await post(`${url}/mcp/`, rpc('tools/call', params), { accept })).text();
      if (!text.includes('"completed"')) throw new Error(text);
    },
  };
  const spent = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
  for (let round = -1; round < ROUNDS; round++)
    for (const [way, call] of Object.entries(ways)) {
      const before = await costs();
      for (let done = 0; done < CALLS; done += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, call));
      const { cpuMs } = await costs();
      if (round >= 0) spent[way].push((cpuMs - before.cpuMs) / CALLS);
    }
  const [plain, ...others] = Object.keys(ways);
  show(`processor time of ${plain}`, ms(median(spent[plain])));
  for (const way of others) {
    const ratio = median(spent[way]) / median(spent[plain]);
    show(`${way}, beside it`, `${ratio.toFixed(2)}x (${ms(median(spent[way]))})`, {
      bar: '<= 1.3x',
      holds: ratio <= 1.3,
    });
  }
}

async function streams(url, costs) {
  const { id } = await (await post(`${url}/run/slow`, { input: 'Go.' })).json();
  const job = () => fetch(`${url}/jobs/${id}/stream`);
  const task = () => post(`${url}/a2a`, rpc('tasks/resubscribe', { id }), { accept: 'text/event-stream' });
  // What the first reader of a kind costs once is not part of it.
  for (const open of [job, task]) await heapOf(costs, open, 20);
  const [jobs, tasks] = [await heapOf(costs, job, STREAMS), await heapOf(costs, task, STREAMS)];
  show(`${STREAMS} job streams, heap after a collection`, `${(jobs / MB).toFixed(1)} MB`);
  show(`${STREAMS} streams of A2A, heap beside it`, `${(tasks / jobs).toFixed(2)}x (${(tasks / MB).toFixed(1)} MB)`, {
    bar: '<= 1.2x',
    holds: tasks <= 1.2 * jobs,
  });
}

/** Bytes that so many readers take while they are open. */
async function heapOf(costs, open, count) {
  const before = await costs();
  const over = new AbortController();
  const readers = [];
  for (let n = 0; n < count; n += 50)
    readers.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(50, count - n) }, async () => {
          const reader = (await open()).body.getReader();
          await reader.read();
          return reader;
        }),
      )),
    );
  const during = await costs();
  await Promise.all(readers.map((reader) => reader.cancel()));
  over.abort();
  await new Promise((resolve) => setTimeout(resolve, 500)); // the server hears that they are gone
  return during.heapBytes - before.heapBytes;
}

async function waiting(url, costs) {
  const before = await costs();
  for (let n = 0; n < WAITING; n += 50)
    await Promise.all(Array.from({ length: 50 }, async () => (await post(`${url}/run/front`, { input: 'x' })).text()));
  const rows = async () => (await fetch(`${url}/jobs?topology=front&limit=1000`)).json();
  let held = WAITING;
  while (held > 0 || peer.open() < MAX_STREAMS) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const all = await rows();
    held = all.filter(({ status, worker_id }) => status !== 'running' || worker_id !== null).length;
  }
  const during = await costs();
  const took = during.heapBytes - before.heapBytes;
  show(`${WAITING} runs that wait for agents elsewhere, slots`, `${held}`, { bar: 'none', holds: held === 0 });
  const streamsNow = peer.most();
  show('streams that are followed', `${streamsNow}`, { bar: `<= ${MAX_STREAMS}`, holds: streamsNow <= MAX_STREAMS });
  show('heap of them after a collection', `${(took / MB).toFixed(1)} MB`, { bar: '<= 30 MB', holds: took <= 30 * MB });
}

/** An agent whose tasks never end, with streams of which nothing is ever told. */
async function openPeer() {
  let open = 0;
  let most = 0;
  let tasks = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text) => {
      body += text;
    });
    request.on('end', () => {
      const url = `http://127.0.0.1:${server.address().port}`;
      const say = (value) => response.writeHead(200, JSON_TYPE).end(JSON.stringify(value));
      if (request.method === 'GET')
        return say({
          name: 'Peer',
          skills: [{ id: 'talk', name: 'talk' }],
          capabilities: { streaming: true },
          supportedInterfaces: [{ url: `${url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
        });
      const { id, method, params } = JSON.parse(body);
      if (method !== 'SubscribeToTask') {
        const task = params.id ?? `t${tasks++}`;
        return say({ jsonrpc: '2.0', id, result: { task: { id: task, status: { state: 'TASK_STATE_WORKING' } } } });
      }
      open += 1;
      most = Math.max(most, open);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
      response.on('close', () => {
        open -= 1;
      });
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}`, open: () => open, most: () => most, close };
}
