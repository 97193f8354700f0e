// One run that talks for long, alone, from its submission to its end: 334 turns of a leader that
// gives its one child another part in each of them, 1,004 journal rows and more. What a step costs
// must not grow with the steps before it.
import { LONG_TURNS } from './support/chain-workspace.mjs';
import { inDirectory } from './support/directory.mjs';
import { cpuMs, loadNow, ms, show } from './support/figures.mjs';
import { openChainApp } from './support/kit-app.mjs';

const ROUNDS = 5;

await inDirectory(async (directory) => {
  const { app, request } = openChainApp(directory);
  const run = async () => {
    const job = await (await app.runs.start({ ...request, topology: 'long' })).done;
    if (job.status !== 'completed') throw new Error(`the run is ${job.status}: ${job.error}`);
  };
  await run();
  const took = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = cpuMs();
    await run();
    took.push(cpuMs() - before);
  }
  await app.close();
  console.log(`least of ${ROUNDS} rounds; ${loadNow()}`);
  show(`processor time of a run of ${LONG_TURNS} turns, least`, ms(Math.min(...took), 0));
});
