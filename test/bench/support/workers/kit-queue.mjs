import { openWorkersApp } from './kit-app.mjs';
import { query } from './postgres-server.mjs';

const { createSessionWork } = await import('../../../../src/app/runs/session-work.ts');
const { submitRun } = await import('../../../../src/app/submit/submit-run.ts');
const { createClock } = await import('../../../../src/system/clock.ts');
const { createIds } = await import('../../../../src/system/ids.ts');
const { readWorkerHost } = await import('../../../../src/system/worker-host.ts');

const FILL_AT_ONCE = 1000;

/** The door of the bench: submits runs as every door does, and looks at what became of them. */
export async function openQueue(directory, url) {
  const app = openWorkersApp(directory, url);
  const [clock, host] = [createClock(), readWorkerHost()];
  const ids = createIds(host);
  const session = await app.session();
  const stores = await session.openStores();
  const work = createSessionWork({ clock, ids, host, log: console, leaseMs: 60_000, defer: (fn) => void setImmediate(fn) });
  const requestOf = (topology) => ({
    topology,
    input: 'x',
    attachments: [],
    correlationId: null,
    labels: {},
    supersedes: null,
    submittedBy: { identity: 'bench', assurance: 'authenticated' },
    source: 'api',
    timeoutMs: null,
    recover: 'auto',
    trust: [],
  });
  const submit = async (topology, count = 1) => {
    const request = requestOf(topology);
    const prepared = await work.prepare(session, request);
    const jobs = [];
    for (let left = count; left > 0; left -= FILL_AT_ONCE) {
      const some = Array.from({ length: Math.min(left, FILL_AT_ONCE) }, () => submitRun({ stores, ids, clock }, { prepared, request }));
      jobs.push(...(await Promise.all(some)));
    }
    return jobs;
  };
  return { submit, stores, url, query: (text, values) => query(url, text, values), close: () => app.close() };
}

/** How many runs are over, and the milliseconds from the first claim to the last end. */
export const kitDone = async ({ query: ask }) => {
  const [row] = await ask(
    `SELECT count(*)::int AS done, count(*) FILTER (WHERE status <> 'completed')::int AS bad,
       (extract(epoch FROM max(coalesce(completed_at, parked_at))::timestamptz - min(claimed_at)::timestamptz) * 1000)::int AS ms
     FROM kit.jobs WHERE status IN ('completed', 'failed', 'stopped')`,
  );
  return row;
};
