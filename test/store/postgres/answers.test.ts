import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { awaitedText } from '../../support/guards/count-statements.js';
import { openPostgresProcesses } from '../../support/postgres-processes.js';
import { fenceOf, messageEvent, startWrite, stepOf } from '../../support/store-samples.js';

const processes = openPostgresProcesses();
const query = pg.Client.prototype.query;
afterEach(() => {
  pg.Client.prototype.query = query;
});

/** Rows that the server sends for what `work` asks and waits for. */
async function answeredRows(work: () => Promise<unknown>): Promise<number> {
  let rows = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const answer: unknown = Reflect.apply(query, this, args);
    if (answer instanceof Promise && awaitedText(args[0]) !== null)
      answer.then(
        (result: pg.QueryResult | readonly pg.QueryResult[]) => {
          for (const one of Array.isArray(result) ? result : [result]) rows += one.rows.length;
        },
        () => undefined,
      );
    return answer;
  } as typeof query;
  await work();
  pg.Client.prototype.query = query;
  return rows;
}

it('answers a commit of a run with as many rows, however many events it tells', async () => {
  const job = await processes.running();
  const { stores, ids } = processes.world;
  const telling = (key: string, count: number) =>
    answeredRows(() =>
      stores.runs.commit(fenceOf(job), [
        startWrite(
          stepOf(job.id, key),
          Array.from({ length: count }, () => messageEvent(ids.uuid(), 'x', key)),
        ),
      ]),
    );
  await telling('first', 1);

  const [few, many] = [await telling('few', 1), await telling('many', 30)];

  expect([few > 0, many]).toEqual([true, few]);
});
