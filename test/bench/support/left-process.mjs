// Runs one after another, for whoever reads what V8 tells of its collections: between the lines
// `begin` and `end`, each run has ended before the next one begins. Argument: directory.
import { openChainApp } from './kit-app.mjs';

// What a process compiles with its first runs is not part of a run.
const [BEFORE, RUNS] = [250, 300];

const { app, run } = openChainApp(process.argv[2]);
const ended = async (runs) => {
  for (let n = 0; n < runs; n += 1) await (await run()).done;
};
await ended(BEFORE);
console.log('begin');
await ended(RUNS);
console.log(`end ${RUNS}`);
await app.close();
