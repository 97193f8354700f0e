// Arguments: `DIRECTORY ROUNDS` carries out one run of LONG_TURNS turns that is not counted, then
// ROUNDS of them one after another, and answers with one line of JSON: of each its processor time
// and that of each tenth of its steps, from the end of the first: what a submission costs is none.
import { LONG_TURNS } from './chain-workspace.mjs';
import { cpuMs } from './figures.mjs';
import { onCommit, openChainApp } from './kit-app.mjs';

const [directory, rounds] = process.argv.slice(2);
const STEPS_A_TURN = 3;
const TENTH = (LONG_TURNS * STEPS_A_TURN) / 10;

let ended = 0;
let marksMs = [];
const wrap = (stores) =>
  onCommit(stores, (_, writes) => {
    for (const write of writes) {
      if (write.op !== 'step.ended') continue;
      ended += 1;
      if (ended >= marksMs.length * TENTH) marksMs.push(cpuMs());
    }
  });

const { app, request } = openChainApp(directory, { wrap });
const all = [];
for (let round = 0; round <= Number(rounds); round++) {
  ended = 0;
  marksMs = [];
  const startMs = cpuMs();
  const job = await (await app.runs.start({ ...request, topology: 'long' })).done;
  if (job.status !== 'completed') throw new Error(`the run is ${job.status}: ${job.error}`);
  const tenthsMs = Array.from({ length: 10 }, (_, n) => marksMs[n + 1] - marksMs[n]);
  all.push({ tookMs: cpuMs() - startMs, tenthsMs });
}
await app.close();
console.log(JSON.stringify(all.slice(1)));
