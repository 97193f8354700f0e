// One run that talks for long, alone, from its submission to its end: 334 turns of a leader that
// gives its one child another part in each of them, 1,004 journal rows and more. Then 3,334 turns,
// 10,004 rows, in a process of its own: what a step costs must not grow with the steps before it,
// so the processor time of the last tenth stands beside that of the first (least of the rounds).
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inDirectory } from './support/directory.mjs';
import { loadNow, ms, show } from './support/figures.mjs';

const PROGRAM = fileURLToPath(new URL('support/long-run-process.mjs', import.meta.url));
const ROUNDS = { 334: 5, 3334: 5 };
const FLAT = 1.3;

/** Of each round: the processor time of the run, and that of each tenth of its steps. */
async function roundsOf(turns) {
  const env = { ...process.env, KIT_BENCH_TURNS: String(turns) };
  const { stdout } = await inDirectory((directory) =>
    promisify(execFile)(process.execPath, [PROGRAM, directory, String(ROUNDS[turns])], { env }),
  );
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

console.log(`least of the rounds after one that is not counted; ${loadNow()}`);
for (const turns of [334, 3334]) {
  const rounds = await roundsOf(turns);
  const took = Math.min(...rounds.map(({ tookMs }) => tookMs));
  show(`processor time of a run of ${turns} turns, least`, ms(took, 0));
  if (turns === 334) continue;
  const tenth = (n) => Math.min(...rounds.map(({ tenthsMs }) => tenthsMs[n]));
  const [first, last] = [tenth(0), tenth(9)];
  const both = `${ms(first, 0)}, ${ms(last, 0)}: ${(last / first).toFixed(2)}x`;
  show('a tenth of its steps: the first, the last', both, { bar: `<= ${FLAT}x`, holds: last <= FLAT * first });
}
