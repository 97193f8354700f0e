// What a store that has grown costs: 1,000 and 200,000 runs of ten agents over 400 days
// (KIT_BENCH_RUNS: fewer, or more), one in a hundred of them at its gate, and as the newest one a
// run of 100,000 events; SQLite, the built CLI and `kit serve`. Commands by processor time and
// resident memory of their process, pages and lists by what they take of the server, once the
// pages of the file are in memory. The last is a removal of all runs that are older than a year.
// Then the same on PostgreSQL with a quarter of the runs, which `kit storage migrate` moves there.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, kit as kitOf, LONG_ENV, serve } from './support/built-kit.mjs';
import { writeChainWorkspace } from './support/chain-workspace.mjs';
import { inDirectory } from './support/directory.mjs';
import { loadNow, ms, show } from './support/figures.mjs';
import { growStore } from './support/grow-store.mjs';
import { withPostgres } from './support/workers/postgres-server.mjs';

const RUNS = Number(process.env.KIT_BENCH_RUNS ?? 200_000);
const FEW_RUNS = 1000;
const POSTGRES_RUNS = RUNS / 4;
const DAYS = 400;
/** Four events a turn. */
const TURNS = 25_000;
const REPEATS = 3;
/** Long enough for a chain to be over. */
const RUN_MS = 200;
/** A list or a page may cost this much more in the large store. */
const FLAT = 2;
const MB = 1024 ** 2;

const LISTS = [
  ['status'],
  ['status', '-n', '1000', '--json'],
  ['trace'],
  ['logs', '--last', '20'],
  ['review', 'list'],
  ['gaps'],
  ['usage'],
  ['comprehension'],
  ['top', '--once'],
  ['queue-stats'],
  ['storage', 'status'],
  ['doctor'],
];
const ROUTES = [
  '/jobs',
  '/jobs/history',
  '/jobs/history?status=failed',
  '/jobs/history?topology=chain',
  '/jobs/history?status=stopped&topology=signed',
  '/events',
  '/events?types=run.ended',
  '/audit',
  '/review?limit=10',
  '/queue/stats',
  '/conversations',
  '/metrics',
  '/system',
  '/storage',
];

await inDirectory(async (base) => {
  const [few, many] = await Promise.all([grown(join(base, 'few'), FEW_RUNS), grown(join(base, 'many'), RUNS)]);
  const bytes = statSync(join(many.directory, '.kit', 'store.sqlite')).size;
  show(`${RUNS} runs`, `${(bytes / MB).toFixed(0)} MiB, ${(bytes / 1024 / RUNS).toFixed(1)} KiB a run; ${loadNow()}`);
  await measure(few, many);
  rmSync(many.directory, { recursive: true });
  await withPostgres(async (server) => {
    const more = await grown(join(base, 'more'), POSTGRES_RUNS);
    const there = moved(more, await server.database('more'));
    const { cpuMs, rssMb } = there.wayCost;
    show(`kit storage migrate, ${POSTGRES_RUNS} runs`, `${costOf(there.wayCost)}; ${ms(cpuMs / POSTGRES_RUNS)} a run`, {
      bar: '<= 2 ms a run, 200 MB',
      holds: cpuMs <= 2 * POSTGRES_RUNS && rssMb <= 200,
    });
    await measure(moved(few, await server.database('few')), there);
  });
});

async function measure(few, many) {
  for (const argv of LISTS) flat(`${many.on}kit ${argv.join(' ')}`, kit(few, argv).cpuMs, kit(many, argv).cpuMs);
  longRun(many);
  await routes(few, many);
  prune(many);
}

/** A workspace whose store has grown. */
function grown(directory, runs) {
  mkdirSync(directory, { recursive: true });
  writeChainWorkspace(directory);
  const place = { directory, env: {}, on: '' };
  for (const argv of [
    ['new', 'topology', 'signed', '--agents', 'writer'],
    ['new', 'role', 'qa', '--member', 'ada', '--member', 'grace'],
    ['new', 'funnel', 'sign-off', '--role', 'qa', '--topology', 'signed'],
    ...['chain', 'signed', 'long'].map((name) => ['run', name, '--input', 'Pass it on.', '--as', 'grace', '--quiet']),
  ])
    kit(place, argv, { once: true });
  const longId = growStore(join(directory, '.kit', 'store.sqlite'), { runs, days: DAYS, turns: TURNS });
  return { ...place, longId };
}

/** The same runs on PostgreSQL, and what their way there cost. */
function moved(place, url) {
  const path = join(place.directory, 'workspace.yaml');
  const storage = { runtime: { backend: 'postgres', url: '${BENCH_STORE_URL}' } };
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), storage }));
  const there = { ...place, env: { BENCH_STORE_URL: url }, on: 'PostgreSQL: ' };
  return { ...there, wayCost: kit(there, ['storage', 'migrate', '--yes'], { once: true }) };
}

/** What is expected of a command depends on it. */
function kit({ directory, env }, argv, how = {}) {
  return kitOf({ directory, env: { ...LONG_ENV, ...env } }, argv, { ...how, exits: expectedOf(argv) });
}

/** A run waits for people: 3. The chains of the copies are not right, and the doctor says so: 1. */
function expectedOf([command]) {
  return command === 'doctor' ? [0, 1] : command === 'run' ? [0, 3] : [0];
}

function flat(name, fewMs, manyMs) {
  show(name, `${ms(fewMs, 1)}, ${ms(manyMs, 1)}: ${(manyMs / fewMs).toFixed(2)}x`, {
    bar: `<= ${FLAT}x`,
    holds: manyMs <= FLAT * fewMs,
  });
}

/** One run of very many events among the newest: who shows it pays for its length, once. */
function longRun(place) {
  const { longId } = place;
  const html = join(place.directory, 'run.html');
  const events = 4 * TURNS;
  for (const [argv, cpuMs, rssMb] of [
    [['trace', longId], 3000, 300],
    [['trace', longId, '--json'], 3000, 300],
    [['report', longId, '--output', html, '--force'], 3000, 300],
    [['logs', '-r', longId], 3000, 300],
    [['why', longId], 3000, 300],
    [['status'], 400, 300],
  ]) {
    const cost = kit(place, argv);
    show(`${place.on}kit ${argv[0]}${argv.includes('--json') ? ' --json' : ''}, ${events} events`, costOf(cost), {
      bar: `<= ${cpuMs} ms, ${rssMb} MB`,
      holds: cost.cpuMs <= cpuMs && cost.rssMb <= rssMb,
    });
  }
  const size = statSync(html).size / MB;
  show(`${place.on}its page of HTML`, `${size.toFixed(1)} MiB`, { bar: '<= 5 MiB', holds: size <= 5 });
}

async function routes(few, many) {
  const servers = await Promise.all([serve(few), serve(many)]);
  try {
    for (const route of ROUTES) {
      const [fewMs, manyMs] = [await least(servers[0].url, route), await least(servers[1].url, route)];
      flat(`${many.on}GET ${route}`, fewMs, manyMs);
    }
    flat(`${many.on}POST /run/chain`, await submitted(servers[0].url), await submitted(servers[1].url));
    const { url } = servers[1];
    const daysBack = new Date(Date.now() - 3 * 86_400_000).toISOString();
    for (const [route, bar] of [
      ['/usage', 100],
      [`/usage?since=${daysBack}`, 100],
      ['/audit?agent_id=nobody', 250],
      ['/audit?topology_id=nobody', 250],
      ['/audit?types=run.ended&agent_id=nobody', 250],
    ]) {
      const took = await least(url, route);
      show(`${many.on}GET ${route.replace(/=\d[^&]*/, '=3 days back')}, an answer`, ms(took, 1), {
        bar: `<= ${bar} ms`,
        holds: took <= bar,
      });
    }
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** What a client waits for an accepted run: the least of some, one after another. */
async function submitted(url) {
  const took = [];
  for (let n = 0; n < 5 * REPEATS; n++) {
    const startedMs = performance.now();
    const answer = await fetch(`${url}/run/chain`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'Pass it on.' }),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`POST /run/chain answered ${answer.status}`);
    took.push(performance.now() - startedMs);
    // It ends before the next one: a client beside others is another figure.
    await new Promise((resolve) => setTimeout(resolve, RUN_MS));
  }
  return Math.min(...took);
}

async function least(url, route) {
  const took = [];
  for (let n = 0; n < 5 * REPEATS; n++) {
    const startedMs = performance.now();
    const answer = await fetch(`${url}${route}`);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`GET ${route} answered ${answer.status}`);
    took.push(performance.now() - startedMs);
  }
  return Math.min(...took);
}

/** Runs of the first weeks are older than a year: what is told of them, and their removal. */
function prune(place) {
  const told = kit(place, ['storage', 'prune', '--dry-run', '--json']);
  show(`${place.on}kit storage prune --dry-run`, costOf(told), {
    bar: '<= 5 s of time, 150 MB',
    holds: told.wallMs <= 5000 && told.rssMb <= 150,
  });
  const { runs } = JSON.parse(told.stdout);
  const removed = kit(place, ['storage', 'prune', '--yes'], { once: true });
  const each = removed.cpuMs / runs;
  show(`${place.on}kit storage prune --yes, ${runs} runs`, `${costOf(removed)}; ${ms(each)} a run`, {
    bar: '<= 2 ms a run',
    holds: each <= 2,
  });
}
