// The HTTP surface of runs and jobs, two servers in one process, asked from another one over kept
// connections. Submits: `POST /run` of a run of one agent, each answered after the commit of its
// job, while all that was accepted is carried out in the same process; 32 connections, audit level
// by default. Reads: `GET /jobs/{id}` of a completed job, with authentication, the store, hooks and
// metrics, on 16 connections, beside a Fastify route of the same process that returns the same
// bytes through the same response schema with none of these. Streams: 1,000 connections follow one
// run of 20 turns over `GET /jobs/{id}/stream`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { inDirectory } from './support/directory.mjs';
import { loadNow, median, ms, show } from './support/figures.mjs';
import { get, load, post } from './support/http-load.mjs';

const PROGRAM = fileURLToPath(new URL('support/serve-process.mjs', import.meta.url));
const ROUNDS = 9;
const ROUND_MS = 1000;
const STREAMS = 1000;
const TURNS = 20;
const RUN = 'Bearer run:bench';
const MB = 1e6;

const model = { provider: 'mock', name: 'mock' };
const topology = (name, options) => ({
  apiVersion: 'kit/v1',
  kind: 'Topology',
  metadata: { name, version: '1.0.0' },
  agents: {
    root: {
      id: 'boss',
      role: 'root',
      model: { ...model, ...options },
      ...(options === undefined ? {} : { children: [{ id: 'helper', role: 'worker', model }] }),
    },
  },
});
const script = Array.from({ length: TURNS }, (_, n) => ({
  latency_ms: n === 0 ? 6000 : 50,
  tool_calls: [{ name: 'delegate_to_helper', input: { task: `Part ${n}.` } }],
}));
const DOCUMENTS = {
  'workspace.yaml': {
    apiVersion: 'kit/v1',
    kind: 'Workspace',
    metadata: { id: 'bench', name: 'Bench' },
    memory: { enabled: false },
    server: { jobs: { max_concurrent: 100_000 } },
  },
  'topologies/idle.yaml': topology('idle'),
  'topologies/talk.yaml': topology('talk', { options: { script } }),
};

await inDirectory(async (directory) => {
  for (const [path, document] of Object.entries(DOCUMENTS)) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), JSON.stringify(document));
  }
  const child = spawn(process.execPath, ['--expose-gc', PROGRAM, directory], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  const { kitUrl, bareUrl } = await next();
  const ask = async (line = {}) => {
    child.stdin.write(`${JSON.stringify(line)}\n`);
    return next();
  };
  console.log(
    `two servers in one process, asked from another one over kept connections; medians of ${ROUNDS} rounds of ${ROUND_MS} ms, ${loadNow()}`,
  );
  await submits(kitUrl, ask);
  await reads({ kitUrl, bareUrl, ask });
  await differentJobs({ kitUrl, bareUrl });
  await streams({ kitUrl, ask });
  child.stdin.end();
  await once(child, 'close');
});

async function submits(url, ask) {
  const ids = new Set();
  const onBody = (body) => ids.add(JSON.parse(body).id);
  const request = post('/run/idle', RUN, { input: 'Go.' });
  await load(url, { request, forMs: ROUND_MS, connections: 32, onBody });
  const before = await ask();
  const already = ids.size;
  const rounds = [];
  for (let n = 0; n < ROUNDS; n++) rounds.push(await load(url, { request, forMs: ROUND_MS, connections: 32, onBody }));
  const rate = median(rounds);
  show('POST /run, accepted and committed, carried out meanwhile', `${rate.toFixed(0)}/s`, {
    bar: '>= 1000/s',
    holds: rate >= 1000,
  });
  await idle(url, ids.size);
  const { cpuMs } = await ask();
  show('processor time of an accepted run until its end', ms((cpuMs - before.cpuMs) / (ids.size - already)));
}

/** Until everything that was accepted is done. */
async function idle(url, accepted) {
  for (;;) {
    const { queued, running } = await (await fetch(`${url}/queue/stats`, { headers: { authorization: RUN } })).json();
    if (queued + running === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  show('runs that were accepted and are done', `${accepted}`);
}

async function reads({ kitUrl, bareUrl, ask }) {
  const [job] = await (await fetch(`${kitUrl}/jobs?limit=1`, { headers: { authorization: RUN } })).json();
  const returns = await (await fetch(`${kitUrl}/jobs/${job.id}`, { headers: { authorization: RUN } })).json();
  await ask({ returns });
  const bytes = async (url) => (await fetch(`${url}/jobs/${job.id}`, { headers: { authorization: RUN } })).text();
  if ((await bytes(kitUrl)) !== (await bytes(bareUrl))) throw new Error('the two servers answer different bytes');
  const sides = { kit: { url: kitUrl, rates: [] }, bare: { url: bareUrl, rates: [] } };
  const request = get(`/jobs/${job.id}`, RUN);
  for (const { url } of Object.values(sides)) await load(url, { request, forMs: 2 * ROUND_MS });
  for (let n = 0; n < ROUNDS; n++)
    for (const side of Object.values(sides)) side.rates.push(await load(side.url, { request, forMs: ROUND_MS }));
  // Of the medians: two rounds that follow each other do not have the same machine.
  const ratio = median(sides.kit.rates) / median(sides.bare.rates);
  for (const [name, { rates }] of Object.entries(sides))
    show(`GET /jobs/{id}, ${name}`, `${median(rates).toFixed(0)}/s`);
  show('GET /jobs/{id}, share of a bare Fastify', ratio.toFixed(2), { bar: '>= 0.6', holds: ratio >= 0.6 });
}

/** Nobody shares a read: what each one costs, for information. */
async function differentJobs({ kitUrl, bareUrl }) {
  const jobs = await (await fetch(`${kitUrl}/jobs?limit=500`, { headers: { authorization: RUN } })).json();
  const paths = jobs.map(({ id }) => get(`/jobs/${id}`, RUN)());
  let n = 0;
  const request = () => paths[n++ % paths.length];
  const rates = { kit: [], bare: [] };
  for (let round = 0; round < ROUNDS; round++) {
    rates.kit.push(await load(kitUrl, { request, forMs: ROUND_MS }));
    rates.bare.push(await load(bareUrl, { request, forMs: ROUND_MS }));
  }
  show(`GET /jobs/{id} of ${paths.length} jobs in turns, share`, (median(rates.kit) / median(rates.bare)).toFixed(2));
}

async function streams({ kitUrl, ask }) {
  const before = await ask();
  const { id } = await (
    await fetch(`${kitUrl}/run/talk`, {
      method: 'POST',
      headers: { authorization: RUN, 'content-type': 'application/json' },
      body: '{"input":"Go."}',
    })
  ).json();
  const opened = Array.from({ length: STREAMS }, () => openStream(`${kitUrl}/jobs/${id}/stream`));
  await Promise.all(opened.map(({ first }) => first));
  const atMs = performance.now();
  const during = await ask();
  const bodies = await Promise.all(opened.map(({ all }) => all));
  const tookMs = performance.now() - atMs;
  const after = await ask();
  const frames = bodies.map((body) => body.split('\n\n').filter((frame) => frame.includes('data: ')).length);
  const job = await (await fetch(`${kitUrl}/jobs/${id}`, { headers: { authorization: RUN } })).json();
  const isEach = new Set(bodies).size === 1 && bodies[0].endsWith(`data: [done] status=${job.status}\n\n`);
  show(`${STREAMS} open streams, frames to each`, `${frames[0]} (${frames[0] * STREAMS} in ${ms(tookMs, 0)})`, {
    bar: 'each frame to each',
    holds: isEach,
  });
  show(
    'resident memory before, with all open, after',
    [before, during, after].map(({ rssBytes }) => `${(rssBytes / MB).toFixed(0)} MB`).join(', '),
  );
  show('processor time of the server', ms(after.cpuMs - during.cpuMs, 0));
}

function openStream(url) {
  const first = Promise.withResolvers();
  const all = (async () => {
    const answer = await fetch(url, { headers: { authorization: RUN } });
    let text = '';
    for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      first.resolve();
    }
    return text;
  })();
  void all.catch(first.reject); // who waits for `all` meets it too
  return { first: first.promise, all };
}
