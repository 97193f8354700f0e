import { describe, expect, it } from 'vitest';
import { asGivenUp, sqlState } from '../../../src/store/postgres/failures.js';
import { openPostgresWorld } from '../../support/postgres-world.js';
import { claimOf, fenceOf, newJob, startedEvent, startWrite, stepOf } from '../../support/store-samples.js';

const failure = (code: string): Error => Object.assign(new Error(`said ${code}`), { code });

describe('what a statement of an open store is given up with', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['KIT_STORE_BUSY', ['55P03', '40001', '40P01']],
    [
      'KIT_STORE_UNAVAILABLE',
      [
        '28P01',
        '28000',
        '3D000',
        '08006',
        '08001',
        '57P01',
        '57P02',
        '57P03',
        '25P03',
        '53200',
        '53300',
        'ECONNRESET',
        'ECONNREFUSED',
        'ETIMEDOUT',
      ],
    ],
    ['KIT_STORE_FULL', ['53100']],
    ['KIT_STORE_READ_ONLY', ['25006']],
    ['KIT_STORE_CORRUPT', ['XX001', 'XX002']],
    ['KIT_TOO_MANY_FILES', ['EMFILE', 'ENFILE']],
    ['KIT_STORE_REFUSED', ['54000', '54001', 'XX000', 'P0001', '57014', '58030', '42501', '55000', '0LP01']],
  ];
  it.each(cases)('is %s for its own states and no others', (expected, states) => {
    for (const state of states)
      expect(asGivenUp(failure(state)), state).toMatchObject({ code: expected, cause: { code: state } });
  });

  it.each(['EPIPE', 'EBUSY', 'ECONNRESET'])(
    'is not an answer of the server where a call of the system says %s',
    async (code) => {
      const broken = Object.assign(failure(code), { errno: -32, syscall: 'write' });
      expect([sqlState(broken), sqlState(failure('57P01'))]).toEqual([null, '57P01']);
      if (code !== 'EBUSY') expect(asGivenUp(broken)).toMatchObject({ code: 'KIT_STORE_UNAVAILABLE' });
    },
  );

  it('is told as it is where the values are wrong, and where kit has said it already', () => {
    for (const state of ['22021', '23505', '42P01']) expect(asGivenUp(failure(state))).toMatchObject({ code: state });
    const said = asGivenUp(failure('XX000'));
    expect(asGivenUp(said)).toBe(said);
  });
});

it('a write and a read that a living server refuses are not an outage, and the connections go on', async () => {
  const world = await openPostgresWorld();
  const { stores, ids, database } = world;
  const job = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())], claimOf());
  await database.query(
    `CREATE FUNCTION kit.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not this step'; END $$`,
  );
  await database.query('CREATE TRIGGER refuse BEFORE INSERT ON kit.steps FOR EACH ROW EXECUTE FUNCTION kit.refuse()');

  const refused = {
    code: 'KIT_STORE_REFUSED',
    message: 'the store refused a statement: not this step',
    exitCode: 1,
    data: { sqlstate: 'P0001' },
  };
  await expect(stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'root'))])).rejects.toMatchObject(refused);

  await database.query('DROP TRIGGER refuse ON kit.steps');
  await stores.runs.commit({ ...fenceOf(job) }, [startWrite(stepOf(job.id, 'root'))]);
  await database.query('ALTER TABLE kit.steps RENAME TO steps_of');
  await database.query(
    `CREATE FUNCTION kit.broken() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no reading'; END $$`,
  );
  const columns = await database.query<{ name: string }>(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'kit' AND table_name = 'steps_of'",
  );
  const selected = columns.map(({ name }) => (name === 'key' ? 'kit.broken() AS key' : name)).join(', ');
  await database.query(`CREATE VIEW kit.steps AS SELECT ${selected} FROM kit.steps_of`);
  await expect(stores.runs.load(job.id)).rejects.toMatchObject({
    code: 'KIT_STORE_REFUSED',
    data: { sqlstate: 'P0001' },
  });
  expect(await stores.jobs.get(job.id)).toMatchObject({ status: 'running' });
  await world.dispose();
});
