// A run that was stopped after 334 turns (a model call, a child's activation and its model call
// each: 1,004 journal rows and more) goes on in a new process: from the return of its claim to the
// commit of its first new step. Nothing of the conversation is one hit.
import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inDirectory } from './support/directory.mjs';
import { loadNow, median, ms, show } from './support/figures.mjs';

const PROGRAM = fileURLToPath(new URL('support/resume-process.mjs', import.meta.url));
const TIMES = 5;

async function run(what, directory) {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, what, directory]);
  return stdout.trim() === '' ? null : JSON.parse(stdout.trim().split('\n').at(-1));
}

await inDirectory(async (directory) => {
  const first = join(directory, 'first');
  await run('stop', first);
  const took = [];
  let rows = 0;
  for (let n = 0; n < TIMES; n++) {
    const copy = join(directory, `copy-${n}`);
    cpSync(first, copy, { recursive: true });
    const resumed = await run('resume', copy);
    rows = resumed.rows;
    took.push(resumed.tookMs);
  }
  console.log(`a new process each time, one conversation that never ended: nothing of it is one hit; ${loadNow()}`);
  const middle = median(took);
  show(`resume over ${rows} steps, claim to first new step`, ms(middle, 1), { bar: '<= 100 ms', holds: middle <= 100 });
});
