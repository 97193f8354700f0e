// A run that was stopped after 334 turns, and one after 3,334 (a model call, a child's activation
// and its model call each: 1,004 and 10,004 journal rows), goes on in a new process: from the
// return of its claim to the commit of its first new step, the check of its log among it. Nothing
// of the conversation is one hit.
import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inDirectory } from './support/directory.mjs';
import { loadNow, median, ms, show } from './support/figures.mjs';

const PROGRAM = fileURLToPath(new URL('support/resume-process.mjs', import.meta.url));
const TIMES = 5;

async function run(what, directory, turns) {
  const env = { ...process.env, KIT_BENCH_TURNS: String(turns) };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, what, directory], { env });
  return stdout.trim() === '' ? null : JSON.parse(stdout.trim().split('\n').at(-1));
}

async function resumed(turns, barMs) {
  await inDirectory(async (directory) => {
    const first = join(directory, 'first');
    await run('stop', first, turns);
    const took = [];
    let rows = 0;
    for (let n = 0; n < TIMES; n++) {
      const copy = join(directory, `copy-${n}`);
      cpSync(first, copy, { recursive: true });
      const answer = await run('resume', copy, turns);
      rows = answer.rows;
      took.push(answer.tookMs);
    }
    const middle = median(took);
    const bar = { bar: `<= ${barMs} ms`, holds: middle <= barMs };
    show(`resume over ${rows} steps, claim to first new step`, ms(middle, 1), bar);
  });
}

console.log(`a new process each time, one conversation that never ended: nothing of it is one hit; ${loadNow()}`);
await resumed(334, 80);
await resumed(3334, 700);
