import { DBOSClient } from '@dbos-inc/dbos-sdk';
import { Logger, makeWorkerUtils } from 'graphile-worker';
import { query } from './postgres-server.mjs';

export const DBOS_APP = { name: 'bench', queue: 'bench', workflow: 'two', version: '1' };
export const GRAPHILE_TASK = 'nothing';
const FILL_AT_ONCE = 1000;

const silent = new Logger(() => () => {});
/** The pool of its own size; what it says of each job is not written. */
export const graphileOptions = (url) => ({ connectionString: url, logger: silent });

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: (...words) => console.error(...words) };
export const dbosConfig = (url) => ({
  name: DBOS_APP.name,
  systemDatabaseUrl: url,
  applicationVersion: DBOS_APP.version,
  logger: quiet,
});

/** Leaves `count` workflows of two steps in the queue. */
export async function fillDbos(url, count) {
  const client = await DBOSClient.create({ systemDatabaseUrl: url, applicationName: DBOS_APP.name, logger: quiet });
  const { queue: queueName, workflow: workflowName, version: appVersion } = DBOS_APP;
  try {
    await inBatches(count, () => client.enqueue({ queueName, workflowName, appVersion }, 'x'));
  } finally {
    await client.destroy();
  }
}

export const dbosDone = async (url) =>
  (await query(url, "SELECT count(*)::int AS n FROM dbos.workflow_status WHERE status = 'SUCCESS'"))[0].n;

/** How many a second once the first `warm` were done, by DBOS's own times. */
export const dbosPace = async (url, warm) => {
  const [{ rate }] = await query(
    url,
    `WITH ended AS (
       SELECT completed_at / 1000.0 AS at, row_number() OVER (ORDER BY completed_at) AS place
       FROM dbos.workflow_status WHERE status = 'SUCCESS')
     SELECT (count(*) FILTER (WHERE place > $1) / nullif(max(at) - max(at) FILTER (WHERE place = $1), 0))::float AS rate
     FROM ended`,
    [warm],
  );
  return rate;
};

export const openGraphile = (url) => makeWorkerUtils(graphileOptions(url));

export async function migrateGraphile(url) {
  const utils = await openGraphile(url);
  await utils.migrate();
  await utils.release();
}

/** One statement: how jobs come in is not measured. */
export const fillGraphile = (url, count) =>
  query(
    url,
    `SELECT count(graphile_worker.add_job('${GRAPHILE_TASK}', '{}'::json)) FROM generate_series(1, ${Number(count)})`,
  );

/** Ended jobs are deleted: what is left tells how many are done. */
export const graphileLeft = async (url) =>
  (await query(url, 'SELECT count(*)::int AS n FROM graphile_worker.jobs'))[0].n;

async function inBatches(count, work) {
  for (let left = count; left > 0; left -= FILL_AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(left, FILL_AT_ONCE) }, work));
}
