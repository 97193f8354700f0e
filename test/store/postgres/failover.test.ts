import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { NO_FAULTS } from '../../../src/domain/faults.js';
import type { Job } from '../../../src/domain/job.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { realPacing } from '../../../src/store/pacing.js';
import { openPostgresStores } from '../../../src/store/postgres/open-postgres-stores.js';
import { type Cluster, startCluster } from '../../soak/cluster.js';
import { withClient } from '../../support/components/postgres.js';
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
  beforeNextTry = () => undefined;
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

describe('a run whose database lost what it has written, to a replica that took its place,', () => {
  it('writes nothing behind the gap, and goes on from what is there under its next claim', async () => {
    const say = (key: string) => [startWrite(stepOf(job.id, key), [messageEvent(ids.uuid(), key, key)])];
    const keys = async () => (await stores.runs.load(job.id)).map(({ key }) => key);
    await stores.runs.commit(fenceOf(job), say('lost'));
    line.set('cut');
    line.lead(behind);
    await promote();
    line.set('whole');

    const refused = { code: 'KIT_STORE_UNAVAILABLE', message: expect.stringContaining('has lost what run') };
    await expect(stores.runs.commit(fenceOf(job), say('next'))).rejects.toMatchObject(refused);
    await expect(stores.jobs.heartbeat(fenceOf(job), 60_000, 0)).rejects.toMatchObject(refused);
    expect(await keys()).toEqual([]);

    await stores.jobs.release(fenceOf(job));
    const [again] = await stores.jobs.claim(claimOf());
    if (again === undefined) throw new Error('nothing was claimed');
    await stores.runs.commit(fenceOf(again), say('lost'));
    expect(await keys()).toEqual(['lost']);
    expect((await stores.events.readRun(job.id, 0, 10)).map(({ seq }) => seq)).toEqual([1, 2]);
  });
});

/** Lets the standby take writes. */
const promote = (): Promise<unknown> => withClient(behind, (client) => client.query('SELECT pg_promote(true)'));
