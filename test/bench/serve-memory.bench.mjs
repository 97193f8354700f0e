// `kit serve` as it is built, on SQLite, and 10,000 runs of the chain of ten agents that go through
// it, a hundred at a time (KIT_BENCH_RUNS: fewer). What the process takes after the first thousand
// is what it needs; from then on it must not grow. Resident memory is that of the operating system,
// without a collection: the mean of the last 0.6 s in which runs went through. (A longer one would
// hold the start of a process that has not done a thousand runs.)
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { writeChainWorkspace } from './support/chain-workspace.mjs';
import { inDirectory } from './support/directory.mjs';
import { loadNow, ms, show } from './support/figures.mjs';

const PROGRAM = fileURLToPath(new URL('support/kit-server.mjs', import.meta.url));
const RUNS = Number(process.env.KIT_BENCH_RUNS ?? 10_000);
const FIRST = RUNS / 10;
const AT_ONCE = 100;
const [MB, SHARE] = [1e6, 1.1];
const LOOKS = 3;
const LOOK_MS = 200;

const pause = (forMs) => new Promise((resolve) => setTimeout(resolve, forMs));
const residentOf = (pid) => 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

async function openServer(directory) {
  writeChainWorkspace(directory);
  const file = join(directory, 'workspace.yaml');
  const document = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...document, server: { jobs: { max_concurrent: AT_ONCE } } }));
  const child = spawn(process.execPath, [PROGRAM, directory], {
    env: { PATH: process.env.PATH, HOME: directory, XDG_CONFIG_HOME: directory, KIT_MOCK_DELEGATE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value);
  const { url } = await next();
  const ask = (path, body) =>
    fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).then((answer) => (answer.ok ? answer.json() : { refused: answer.status }));
  const costMs = async () => {
    child.stdin.write('\n');
    return (await next()).cpuMs;
  };
  return { ask, costMs, resident: () => residentOf(child.pid), close: () => child.stdin.end() };
}

/** Keeps a hundred runs under way until `RUNS` were taken; tells resident memory at each tenth. */
async function through({ ask, resident }) {
  const looks = [];
  const tenths = [];
  let taken = 0;
  const timer = setInterval(() => {
    looks.push(resident());
    if (looks.length > LOOKS) looks.shift();
  }, LOOK_MS);
  const submitter = async () => {
    while (taken < RUNS) {
      const answer = await ask('/run/chain', { input: 'Pass it on.' });
      if (answer.refused === 429) await pause(20);
      else if (answer.refused !== undefined) throw new Error(`refused with ${answer.refused}`);
      else {
        taken += 1;
        if (taken % FIRST === 0) tenths.push(mean(looks));
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, submitter));
  clearInterval(timer);
  return tenths;
}

await inDirectory(async (directory) => {
  const server = await openServer(directory);
  console.log(`${RUNS} runs, ${AT_ONCE} at a time; ${loadNow()}`);
  show('kit serve, idle', `${(server.resident() / MB).toFixed(0)} MB`);
  const tenths = await through(server);
  show(`at each tenth of ${RUNS} runs`, `${tenths.map((bytes) => (bytes / MB).toFixed(0)).join(', ')} MB`);
  const [first, most] = [tenths[0], Math.max(...tenths)];
  show('grown by after the first', `${(100 * (most / first - 1)).toFixed(1)} %`, {
    bar: `<= ${Math.round(100 * (SHARE - 1))} %`,
    holds: most <= SHARE * first,
  });
  show('processor time of a run', ms((await server.costMs()) / RUNS));
  server.close();
});
