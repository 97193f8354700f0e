// What kit adds to a coding harness, in the built code. Start to first event: from the call that
// starts the program, through the supervisor that is started before it, to the event that its first
// line becomes, less what the same program takes from its start to its first line without kit. Last
// event to result: until the executor hands its result over, when every process of the group is
// gone; the diff of the worktree comes after it and stands below. An answer to a hook: from the
// connection to the answer, where the tables of the adapter are asked about the call, and the call
// is allowed at once. The hook: its whole process beside a Node that does nothing. Worktrees stand
// beside `git worktree add` alone; the diff is that of one new file.
//
// All of it is taken in turns with what it is compared with. The least of many is what the work
// takes, and the bar is about it where the middle is that of the machine; the middle and the
// processor time stand beside it.
import '../support/processes-typescript.mjs';
import { inDirectory } from './support/directory.mjs';
import { loadNow, ms, show } from './support/figures.mjs';

const { measureHooks } = await import('./support/harness/hooks.ts');
const { measureSessions } = await import('./support/harness/sessions.ts');
const { measureTrees } = await import('./support/harness/trees.ts');

const TIMES = Number(process.env.KIT_BENCH_TIMES ?? 60);
const ASKS = 1_000;
const EVENT_BAR_MS = 40;
const ANSWER_BAR_MS = 15;
const HOOK_BAR_MS = 25;

/** One figure, and whether its bar holds. */
function tell(name, value, barMs) {
  show(name, ms(value), barMs === undefined ? {} : { bar: ms(barMs, 0), holds: value <= barMs });
}

function tellBoth(name, { leastMs, p50Ms }, barMs) {
  tell(`${name}, least`, leastMs, barMs);
  tell(`${name}, p50`, p50Ms);
}

await inDirectory(async (directory) => {
  console.log(`a coding harness, ${loadNow()}`);
  const session = await measureSessions(directory, TIMES);
  tellBoth('start to first event, less its own', session.first, EVENT_BAR_MS);
  tellBoth('last event to result, without git', session.last, EVENT_BAR_MS);
  tell('processor time of a launch, all processes', session.cpuMs);
  tellBoth('beside it: a bare Node', session.bareNode);

  const hooks = await measureHooks(directory, { asks: ASKS, times: TIMES });
  tell('kit answers a hook, socket to socket, p99', hooks.answerP99Ms, ANSWER_BAR_MS);
  tell('kit answers a hook, p99 of the calmest 100', hooks.calmestP99Ms);
  tell('the hook above bare Node, p50', hooks.aboveNode.p50Ms, HOOK_BAR_MS);
  tell('the hook above bare Node, least', hooks.aboveNode.leastMs);
  tell('processor time of a hook', hooks.cpuMs);
  tell('processor time of a bare Node', hooks.bareCpuMs);

  for (const [files, times] of [
    [10, 10],
    [10_000, 3],
  ]) {
    const trees = await measureTrees(directory, files, times);
    tellBoth(`worktree of ${files} files`, trees.made);
    tellBoth(`git worktree add of ${files} files`, trees.bareGit);
    tellBoth(`diff of ${files} files`, trees.told);
  }
});
