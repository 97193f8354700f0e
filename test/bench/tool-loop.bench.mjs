// What a tool call costs kit itself: governance, its step in the store, audit, compression, the way
// into the conversation. The tool answers at once in this process, and so does the model; every row
// and event is in the store before the next turn begins. Beside it what the limiter of models costs
// a call in a process that keeps its own limits: the permit, and what it is told of the end.
import '../support/processes-typescript.mjs';
import { inDirectory } from './support/directory.mjs';
import { cpuMs, loadNow, median, ms, show, syncedPageMs, timed } from './support/figures.mjs';

const { agent, call, commandSkill, openWorld } = await import('../support/run-world.ts');
const { createModelLimiter } = await import('../../src/worker/limiter/model-limiter.ts');
const { createClock } = await import('../../src/system/clock.ts');

const ROUNDS = 9;
const TURNS = 40;
const CALLS = 10;
const BAR_MS = 0.5;
const PERMITS = 20_000;
const PERMIT_BAR_US = 20;

const text = JSON.stringify(Array.from({ length: 60 }, (_, id) => ({ id, name: `row ${id}`, state: 'open' })));
const compression = { backend: 'columnar', backendClass: null, minBytes: 100, overrides: [] };
const answered = { exitCode: 0, signal: null, ended: null, stderrTail: '' };
/** A process that has printed its line and is over. */
const processes = { spawn: () => ({ lines: [text], done: Promise.resolve(answered) }) };

/**
 * Milliseconds, and those of the processor, of a run whose agent makes so many calls in each of its
 * turns, from claim to the commit of its end.
 */
async function runOf(calls, snapshot) {
  const world = await openWorld({
    root: agent('root', { role: 'root', skills: ['look'] }),
    skills: [commandSkill('look', ['look'], { effects: 'read' })],
    env: { KIT_MAX_PER_READ_TOOL: TURNS * CALLS, KIT_MAX_TOOL_TURNS: TURNS + 1 },
    limits: { maxStepsPerRun: 10 * TURNS },
    facilities: () => ({ processes }),
    snapshot,
    script: ({ turn }) =>
      turn < TURNS ? Array.from({ length: calls }, (_, n) => call('look', { input: `${turn}` }, `c${n}`)) : 'done',
  });
  const before = process.cpuUsage();
  const wall = await timed(() => world.run());
  const { user, system } = process.cpuUsage(before);
  const { status, error } = await world.row();
  await world.close();
  if (status !== 'completed') throw new Error(`the run is ${status}: ${error}`);
  return { wall, cpu: (user + system) / 1000 };
}

/**
 * Microseconds of the processor for each of so many permits, `atOnce` of them under way at a time.
 */
async function permitUs(atOnce) {
  const silent = () => {};
  const limiter = createModelLimiter({
    clock: createClock(),
    log: { debug: silent, info: silent, warn: silent, error: silent },
    holder: 'bench',
    random: Math.random,
  });
  const limits = { account: 'bench', inFlight: null, requestsPerMinute: null };
  const { signal } = new AbortController();
  const lane = async () => {
    for (let n = 0; n < PERMITS / atOnce; n++) {
      const permit = await limiter.permit({ limits, signal, longestClosedMs: 0 });
      permit.end({ type: 'answered' });
    }
  };
  const before = cpuMs();
  await Promise.all(Array.from({ length: atOnce }, lane));
  return ((cpuMs() - before) * 1000) / PERMITS;
}

const SIDES = {
  'results as they are': {},
  'results laid out by columns': { compression },
};

const page = await inDirectory(async (directory) => syncedPageMs(directory));
console.log(`${TURNS} turns of one agent, ${text.length} characters a result, medians of ${ROUNDS} interleaved rounds`);
show('calibration: a synced page', `${ms(page)}, ${loadNow()}`);
const figures = Object.fromEntries(Object.keys(SIDES).map((name) => [name, { one: [], many: [] }]));
for (const snapshot of Object.values(SIDES)) for (const calls of [1, CALLS]) await runOf(calls, snapshot);
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, snapshot] of Object.entries(SIDES)) {
    figures[name].one.push(await runOf(1, snapshot));
    figures[name].many.push(await runOf(CALLS, snapshot));
  }
}
for (const [name, { one, many }] of Object.entries(figures)) {
  // What nine calls more in each turn cost: the model's turn is in both.
  const perCall = (of) =>
    (median(many.map((run) => run[of])) - median(one.map((run) => run[of]))) / (TURNS * (CALLS - 1));
  show(`a turn with one call, its model call too: ${name}`, ms(median(one.map(({ wall }) => wall)) / TURNS));
  show(`a tool call, time of the processor alone: ${name}`, ms(perCall('cpu'), 3));
  show(`a tool call: ${name}`, ms(perCall('wall'), 3), { bar: `<= ${BAR_MS} ms`, holds: perCall('wall') <= BAR_MS });
}
for (const atOnce of [1, 100]) {
  const took = [];
  for (let round = 0; round < ROUNDS; round++) took.push(await permitUs(atOnce));
  const us = median(took);
  const bar = { bar: `<= ${PERMIT_BAR_US} us`, holds: us <= PERMIT_BAR_US };
  show(`the limiter for a call, ${atOnce} at once, of the processor`, `${us.toFixed(1)} us`, bar);
}
