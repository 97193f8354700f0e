import { expect, it } from 'vitest';
import { type Answer, ask, openFleet, until } from './fleet.js';

const DEPTH = 50;
const BURST = 200;

it('takes exactly as many runs as may wait, of a burst over two api processes', { timeout: 180_000 }, async () => {
  const fleet = await openFleet();
  const dir = fleet.workspace('api');
  const apis = await Promise.all([1, 2].map(() => fleet.api(dir, '--max-queue-depth', String(DEPTH))));
  const [one, two] = [apis[0] ?? expect.fail(), apis[1] ?? expect.fail()];
  const keyed = (n: number) => (n % 4 === 0 ? { 'idempotency-key': `order-${n}` } : {});
  const submit = (n: number): Promise<Answer> =>
    ask(n % 2 === 0 ? one : two, '/run/talk', { input: `order ${n}` }, keyed(n));

  const keyedFirst = await ask(one, '/run/talk', { input: 'before the burst' }, { 'idempotency-key': 'before' });
  expect([keyedFirst.status, keyedFirst.body.status]).toEqual([200, 'queued']);
  const answers = await Promise.all(Array.from({ length: BURST }, (_, n) => submit(n)));

  const [taken, refused] = [
    answers.filter(({ status }) => status === 200),
    answers.filter(({ status }) => status !== 200),
  ];
  expect(taken).toHaveLength(DEPTH - 1);
  for (const { status, body, headers } of refused) {
    expect([status, body.code]).toEqual([429, 'queue-full']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(await fleet.database.query('SELECT status, count(*)::int AS jobs FROM kit.jobs GROUP BY status')).toEqual([
    { status: 'queued', jobs: DEPTH },
  ]);
  expect(await fleet.database.query("SELECT count(*)::int AS runs FROM kit.events WHERE type = 'run.started'")).toEqual(
    [{ runs: DEPTH }],
  );

  // A key that was used is answered although the queue is full, by the other process too.
  const again = await ask(two, '/run/talk', { input: 'before the burst' }, { 'idempotency-key': 'before' });
  expect([again.status, again.body.id]).toEqual([200, keyedFirst.body.id]);

  // A stop makes room at once; a resume is never refused, and counts.
  const [first] = taken;
  const id = String(first?.body.id);
  expect((await ask(one, `/jobs/${id}/stop`, {})).body).toMatchObject({ status: 'stopped' });
  expect((await ask(two, '/run/talk', { input: 'one more' })).status).toBe(200);
  expect((await ask(two, `/jobs/${id}/resume`, {})).body).toMatchObject({ status: 'queued' });
  expect((await ask(one, '/run/talk', { input: 'and one' })).status).toBe(429);
  const full = await ask(one, '/queue/stats');
  expect(full.body).toMatchObject({ queued: DEPTH + 1 });

  // Refused for what it is, before anybody counts.
  expect((await ask(one, '/run/nothing', { input: 'x' })).status).toBe(404);
  expect((await ask(one, '/run/talk', { input: 'x', attachments: [{ data: 'no picture' }] })).status).toBe(422);

  await fleet.worker(dir, '--once');
  await until(two, id, 'completed');
});
