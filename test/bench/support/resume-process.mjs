// Arguments: `stop DIRECTORY` runs until LONG_TURNS turns are recorded and stops; `resume
// DIRECTORY` goes on, and answers with one line of JSON.
import { LONG_TURNS } from './chain-workspace.mjs';
import { onCommit, openChainApp } from './kit-app.mjs';

const [what, directory] = process.argv.slice(2);

async function stop() {
  const lastKey = `root/d0/t${LONG_TURNS - 1}/c0:w1`;
  let handle;
  const wrap = (stores) =>
    onCommit(stores, (_, writes) => {
      if (writes.some((write) => write.op === 'step.ended' && write.key === lastKey)) void handle.stop('bench');
    });
  const { app, request } = openChainApp(directory, { wrap });
  handle = await app.runs.start({ ...request, topology: 'long' });
  const job = await handle.done;
  if (job.status !== 'stopped') throw new Error(`the run is ${job.status}: ${job.error}`);
  await app.close();
}

/**
 * `claimed`: the store has given the run to this process; `begun`: the start of the first new step
 * is durable.
 */
async function resume() {
  let claimedMs = 0;
  let begunMs = 0;
  const wrap = (stores) => {
    const noted = onCommit(stores, (_, writes) => {
      if (begunMs === 0 && writes.some((write) => write.op === 'step.started')) begunMs = performance.now();
    });
    const claim = async (...args) => {
      const job = await stores.jobs.resume(...args);
      claimedMs = performance.now();
      return job;
    };
    return { ...noted, jobs: withResume(stores.jobs, claim) };
  };
  const { app, request } = openChainApp(directory, { wrap });
  const handle = await app.runs.resume({ ...request, job: null, topology: null, by: 'bench' });
  const rows = (await (await app.stores()).runs.load(handle.job.id)).length;
  const job = await handle.done;
  if (job.status !== 'completed') throw new Error(`the run is ${job.status}: ${job.error}`);
  await app.close();
  console.log(JSON.stringify({ rows, tookMs: begunMs - claimedMs }));
}

function withResume(jobs, resume) {
  const get = (_, name) => (name === 'resume' ? resume : jobs[name]?.bind?.(jobs));
  return new Proxy(jobs, { get });
}

await (what === 'stop' ? stop() : resume());
