import { afterEach, beforeEach, expect, it } from 'vitest';
import { NO_FAULTS } from '../../../src/domain/faults.js';
import { openPostgresStores } from '../../../src/store/postgres/open-postgres-stores.js';
import { ADVISORY_CLASS } from '../../../src/store/postgres/sql/session.js';
import { going } from '../../../src/store/prompts/trim-calls.js';
import { withClient } from '../../support/components/postgres.js';
import { openPostgresWorld, type PostgresWorld, placeOf } from '../../support/postgres-world.js';
import { callOf, conversation, keepCalls } from '../../support/prompt-sample.js';
import { createIds } from '../../support/store-samples.js';
import { SILENT } from '../../support/store-world.js';

const BOUNDS = { count: 1, bytes: 1_000_000, ageMs: 5 * 365 * 24 * 60 * 60 * 1000 };
const WIDE = { ...BOUNDS, count: 100 };

let world: PostgresWorld;
beforeEach(async () => {
  world = await openPostgresWorld();
});
afterEach(() => world.dispose());

const keys = async () => (await world.stores.prompts.list({ jobId: null, limit: 100 })).map(({ stepKey }) => stepKey);

it('a row that another process is about to go on from stays until that is done, and is taken over then', async () => {
  const talk = conversation('a');
  await keepCalls(world.stores, [callOf(1), talk(2, ['system'])], WIDE);
  await withClient(world.database.url, async (client) => {
    await client.query('BEGIN');
    // What a writer does before it adds to a conversation.
    await client.query("SELECT 1 FROM kit.prompts WHERE conversation = 'a' FOR KEY SHARE");
    await keepCalls(world.stores, [callOf(3)], BOUNDS);
    expect(await keys()).toEqual(['root/t3', 'root/t2']);
    await client.query('COMMIT');
  });
  await keepCalls(world.stores, [talk(4, ['answer'])], BOUNDS);

  const kept = await world.stores.prompts.list({ jobId: null, limit: 100 });
  expect(kept.map(({ stepKey, prompt }) => [stepKey, JSON.parse(prompt).messages])).toEqual([
    ['root/t4', ['system', 'answer']],
  ]);
});

it('one process trims at a time, and nobody waits for it', async () => {
  await withClient(world.database.url, async (client) => {
    await client.query('BEGIN');
    await client.query(`SELECT pg_advisory_xact_lock(${ADVISORY_CLASS}, 7)`);
    await keepCalls(world.stores, [callOf(1), callOf(2)], WIDE);
    await keepCalls(world.stores, [callOf(3)], BOUNDS);
    expect(await keys()).toHaveLength(3);
    await client.query('COMMIT');
  });
  await keepCalls(world.stores, [callOf(4)], BOUNDS);
  expect(await keys()).toEqual(['root/t4']);
});

it('what goes is found along the key, however many removed rows the server has not swept yet', async () => {
  const plan = await withClient(world.database.url, async (client) => {
    await client.query('SET search_path = kit; SET enable_seqscan = off');
    const sql = going('FOR UPDATE SKIP LOCKED').replace('@border', '$1');
    return JSON.stringify((await client.query(`EXPLAIN (GENERIC_PLAN) ${sql}`)).rows);
  });

  expect(plan).toContain('prompts_pkey');
  expect(plan).not.toContain('Seq Scan');
});

it('calls of many processes share one ring, each with its conversation', async () => {
  const others = await Promise.all(
    [1, 2, 3].map((nth) =>
      openPostgresStores({
        place: placeOf(world.database.url),
        poolSize: 1,
        maxOverflow: 2,
        ids: createIds(0xa0 + nth),
        faults: NO_FAULTS,
        log: SILENT,
      }),
    ),
  );
  const bounds = { ...WIDE, count: 8 };
  await Promise.all(
    others.map(async (stores, process) => {
      const talk = conversation(`talk ${process}`);
      for (let n = 0; n < 20; n += 1) await keepCalls(stores, [talk(n, [`${process}-${n}`])], bounds);
    }),
  );
  for (const stores of others) await stores.close();

  const kept = await world.stores.prompts.list({ jobId: null, limit: 100 });
  expect(kept).toHaveLength(8);
  for (const { stepKey, prompt } of kept) {
    const { messages, messages_left_out: left } = JSON.parse(prompt) as {
      messages: string[];
      messages_left_out?: number;
    };
    const [process] = (messages[0] ?? '').split('-');
    const whole = Array.from({ length: Number(stepKey.slice(6)) + 1 }, (_, n) => `${process}-${n}`);
    expect([messages, left]).toEqual([whole, undefined]);
  }
});
