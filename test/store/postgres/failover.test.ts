import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../../src/domain/faults.js';
import type { Job } from '../../../src/domain/job.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { realPacing } from '../../../src/store/pacing.js';
import { openPostgresStores } from '../../../src/store/postgres/open-postgres-stores.js';
import { type Cluster, startCluster } from '../../soak/cluster.js';
import { type CutProxy, openCutProxy } from '../../support/cut-proxy.js';
import { placeOf } from '../../support/postgres-world.js';
import {
  claimOf,
  createIds,
  endWrite,
  fenceOf,
  messageEvent,
  newJob,
  startedEvent,
  startWrite,
  stepOf,
} from '../../support/store-samples.js';
import { SILENT } from '../../support/store-world.js';

const DATABASE = 'kit';
const ids = createIds(0x40);

let cluster: Cluster;
let line: CutProxy;
let stores: Stores;
let job: Job;
/** What happens before kit tries again. */
let beforeNextTry: () => void = () => undefined;
/** URL of the server that has not been sent the commit. */
let behind: string;

beforeAll(async () => {
  cluster = await startCluster();
  await cluster.createDatabase(DATABASE);
  line = await openCutProxy(cluster.url(DATABASE));
  stores = await openPostgresStores({
    place: placeOf(line.url),
    poolSize: 2,
    maxOverflow: 2,
    ids: createIds(1),
    log: SILENT,
    faults: NO_FAULTS,
    parts: {
      pacing: {
        ...realPacing,
        sleep: async (ms) => {
          beforeNextTry();
          await sleep(ms);
        },
      },
    },
  });
  job = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())], claimOf());
  behind = cluster.url(DATABASE, (await cluster.standby()).port);
}, 120_000);

afterAll(async () => {
  await stores.close();
  await line.close();
  await cluster.dispose();
});

const query = pg.Client.prototype.query;
afterEach(() => {
  pg.Client.prototype.query = query;
});

/** The next COMMIT is made, its answer is lost, and the address leads to the standby. */
function failOverAtNextCommit(): void {
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const answer: unknown = Reflect.apply(query, this, args);
    if (args[0] !== 'COMMIT' || !(answer instanceof Promise)) return answer;
    pg.Client.prototype.query = query;
    return answer.then(() => {
      line.lead(behind);
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
    });
  } as typeof query;
}

/** What answers is a replica that has not replayed the commit, until kit asks once more. */
describe('a commit whose connection broke, and whose address leads to a standby that has not been sent it,', () => {
  it('is not taken for one that was not made', async () => {
    const event = (text: string) => messageEvent(ids.uuid(), text, 'step');
    await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'step'), [event('begins')])]);
    let tries = 0;
    beforeNextTry = () => {
      tries += 1;
      line.lead(cluster.url(DATABASE));
    };
    failOverAtNextCommit();

    await stores.runs.commit(fenceOf(job), [endWrite('step', { status: 'ok', value: 1 }, [event('ends')])]);

    expect(tries).toBeGreaterThan(0);
    expect((await stores.runs.load(job.id)).map(({ key, outcome }) => [key, outcome?.status])).toEqual([
      ['step', 'ok'],
    ]);
    expect((await stores.events.readRun(job.id, 0, 10)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });
});
