import type { Bench, Case } from './bench-port.js';
import { howOf, isDone, lost, none, ok, wordsOf } from './cases.js';
import { scripted } from './script.js';

/** How long processes may take to go once kit is gone. */
const GONE_WITHIN_MS = 15_000;

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Processes that are still there after a while; null: the system does not tell. */
async function leftOf(bench: Bench): Promise<number | null> {
  const until = performance.now() + GONE_WITHIN_MS;
  for (;;) {
    const left = await bench.processes();
    if (left === null || left.length === 0 || performance.now() > until) return left === null ? null : left.length;
    await rest(100);
  }
}

const HANGING = [{ say: 'I begin.' }] as const;
/** A script hangs once: each case has its own. */
let scripts = 0;

/** A session that is at work: its model has been asked, and does not answer. */
const atWork: (of: Parameters<Case>[0]) => ReturnType<Bench['begin']> = async (of) => {
  const { program, bench } = of;
  scripts += 1;
  const last = [{ hang: true, say: `finished ${scripts}` }];
  const turns = [[...HANGING, program.write('before.txt', 'kept\n')], last];
  const hangs = bench.whenHanging();
  const running = await bench.begin(scripted(turns), howOf(of));
  await Promise.race([hangs, running.gone()]);
  return running;
};

const kill: Case = async (of) => {
  const running = await atWork(of);
  running.kill();
  await running.gone();
  const left = await leftOf(of.bench);
  if (left === null) return none('this system does not tell of processes');
  return left === 0 ? ok('kit was killed, and no process of the program is left') : lost(`${left} processes are left`);
};

const resume: Case = async (of) => {
  const { program, bench } = of;
  const running = await atWork(of);
  const run = await bench.newest();
  running.kill();
  await running.gone();
  await leftOf(bench);
  let ended = await bench.resume(run);
  // With a gate people are asked whether a session goes on that was cut off.
  if (program.hasGate && ended.status === 'deferred') ended = await bench.decide(run, 'approve');
  if (!isDone(ended)) return lost(wordsOf(ended));
  if (!(await bench.diff(run)).includes('+kept')) return lost('what was written before is gone');
  const started = await bench.events(run, 'executor.started');
  if (!JSON.stringify(started.at(-1) ?? '').includes('"resumed":true')) return lost('in a new session');
  return ok('the same session went on in the same worktree');
};

const interrupt: Case = async (of) => {
  const running = await atWork(of);
  running.interrupt();
  await rest(300);
  running.interrupt();
  await running.gone();
  const left = await leftOf(of.bench);
  if (left === null) return none('this system does not tell of processes');
  return left === 0 ? ok('Ctrl-C twice, and no process of the program is left') : lost(`${left} processes are left`);
};

const silence: Case = async (of) => {
  const { bench } = of;
  const turns = [[{ hang: true, say: 'too late' }]];
  const ended = await bench.run(scripted(turns), howOf(of, { budget: { max_idle_seconds: of.program.idleSeconds } }));
  const left = await leftOf(bench);
  if (!ended.reason.includes('executor.idle')) return lost(wordsOf(ended));
  return left === 0 || left === null ? ok('ended as idle') : lost(`${left} processes are left`);
};

/** How sessions end that do not end by themselves. */
export const END_CASES: Readonly<Record<string, Case>> = { kill, resume, interrupt, silence };
