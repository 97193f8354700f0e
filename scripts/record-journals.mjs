// Records the journals of the current engine into test/journals/<engine>/. What is there already
// stays: a recorded journal is the proof that a later build can go on with it, and is never
// recorded again. Run it once, when the engine's number was raised.
import '../test/support/processes-typescript.mjs';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const [{ ENGINE }, { createCrashRoom }, { JOURNALS, recordJournal }] = await Promise.all([
  import('../src/domain/journal.ts'),
  import('../test/support/crash-case.ts'),
  import('../test/support/crash-journal.ts'),
]);

const directory = fileURLToPath(new URL(`../test/journals/${ENGINE}/`, import.meta.url));
mkdirSync(directory, { recursive: true });
const room = createCrashRoom();
try {
  for (const plan of JOURNALS) {
    const file = `${directory}${plan.name}.json`;
    if (existsSync(file)) {
      console.error(`${file} is there already: a recorded journal is never overwritten`);
      process.exitCode = 1;
      continue;
    }
    const journal = await recordJournal(room, plan, ENGINE);
    writeFileSync(file, `${JSON.stringify(journal, null, 1)}\n`, { flag: 'wx' });
    console.log(`recorded ${file}`);
  }
} finally {
  room.dispose();
}
