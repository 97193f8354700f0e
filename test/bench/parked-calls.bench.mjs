// Runs that wait for people at a call of their coding agent, a hundred of them (KIT_BENCH_PARKED:
// more; the bar is about 1,000). Their program plays a script, each in a shallow worktree of a
// repository of four files. What the store keeps is the state directory of the closed server,
// beside that of one without a run. Then another server starts, every call is approved at once, and
// the runs go on within its slots; the commands write down where they begin and end.
import '../support/processes-typescript.mjs';
import { loadNow, ms, show } from './support/figures.mjs';

const { makeHome } = await import('../support/kit-process.ts');
const { measureParkedCalls } = await import('../support/parked-calls.ts');

const RUNS = Number(process.env.KIT_BENCH_PARKED ?? 100);
const SLOTS = 4;
const STORE_BAR_BYTES = 60_000;

console.log(`${RUNS} runs that wait at a call, ${loadNow()}`);
const home = await makeHome();
try {
  const seen = await measureParkedCalls(home, { runs: RUNS, slots: SLOTS, say: (text) => console.log(text) });
  const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
  const holds = (name, value, bar, isHeld) => show(`${RUNS} parked calls: ${name}`, value, { bar, holds: isHeld });
  holds('processes that are left', String(seen.processes), '0', seen.processes === 0);
  holds('in the store, each', kB(seen.storeBytes), '<= 60 kB', seen.storeBytes <= STORE_BAR_BYTES);
  show(`${RUNS} parked calls: worktree and session, each`, kB(seen.worktreeBytes));
  holds('completed', String(seen.statuses.completed ?? 0), String(RUNS), seen.statuses.completed === RUNS);
  holds(
    'made, of these more than once',
    `${seen.made}, ${seen.twice}`,
    'each once',
    seen.made === RUNS && seen.twice === 0,
  );
  holds(`most at once, of ${SLOTS} slots`, String(seen.atOnce), `<= ${SLOTS}`, seen.atOnce <= SLOTS);
  show(`${RUNS} parked calls: a run until it waits`, ms(seen.parkedMs / RUNS));
  show(`${RUNS} parked calls: a run from the decisions to its end`, ms(seen.decidedMs / RUNS));
} finally {
  await home.remove();
}
