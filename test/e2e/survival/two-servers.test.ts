import { expect, it, vi } from 'vitest';
import { openReceiver } from '../../support/http/receiver.js';
import { triggerFile } from '../../support/triggers/trigger-world.js';
import { openServedWorld, type Served, WAIT } from './served-world.js';

const SUBMITS = 20;
const TICKS = 4;

interface Seen {
  readonly event_type: string;
  readonly event_id: string;
  readonly run_id: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Everything of these types in the log. */
async function logOf(server: Served, types: string): Promise<readonly Seen[]> {
  const all: Seen[] = [];
  let after = '';
  for (;;) {
    const page = await server.get<{
      readonly events: readonly Seen[];
      readonly next_cursor: string;
      readonly has_more: boolean;
    }>(`/events?limit=1000&types=${types}${after}`);
    all.push(...page.events);
    if (!page.has_more) return all;
    after = `&after=${encodeURIComponent(page.next_cursor)}`;
  }
}

it('two servers of one PostgreSQL fire each time once, execute each run once and push each event once', async () => {
  const receiver = await openReceiver();
  const world = await openServedWorld(
    'postgres',
    `events: [{ sink: webhook, url: "${receiver.url}", types: [run.ended] }]\nserver: { jobs: { max_concurrent: 30 } }\n`,
    {
      'triggers/tick.yaml': triggerFile(
        'tick',
        "type: cron\ntargets: [talk]\nconfig: { expression: '* * * * * *', input: job-0 }\n",
      ),
    },
  );
  const servers = [await world.serve(), await world.serve()] as const;
  const ids = await Promise.all(
    Array.from({ length: SUBMITS }, (_, n) => servers[n % 2 === 0 ? 0 : 1].submit('talk', `job-${n + 1}`)),
  );
  await Promise.all(ids.map((id, n) => servers[n % 2 === 0 ? 1 : 0].until(id, 'completed')));
  await vi.waitFor(
    async () => expect((await logOf(servers[0], 'trigger.fired')).length).toBeGreaterThanOrEqual(TICKS),
    WAIT,
  );
  const pushes = (id: string) => receiver.received.filter(({ body }) => (body as Seen).run_id === id);
  await vi.waitFor(() => expect(ids.filter((id) => pushes(id).length === 0)).toEqual([]), WAIT);
  for (const server of servers) server.kill('SIGTERM');
  expect(await Promise.all(servers.map(({ ended }) => ended))).toEqual([0, 0]);

  const last = await world.serve();
  const fired = (await logOf(last, 'trigger.fired')).map(({ payload }) => payload.occurrence);
  expect(new Set(fired).size).toBe(fired.length);
  const ended = await logOf(last, 'run.ended');
  expect(new Set(ended.map(({ run_id }) => run_id)).size).toBe(ended.length);
  for (const id of ids) expect(await last.get(`/jobs/${id}`)).toMatchObject({ status: 'completed', attempt: 1 });
  const calls = world.model.calls();
  for (const n of ids.keys()) expect([calls[`boss job-${n + 1}`], calls[`helper job-${n + 1}`]]).toEqual([2, 1]);
  const pushed = receiver.received.map(({ body }) => (body as Seen).event_id);
  expect(new Set(pushed).size).toBe(pushed.length);
  for (const id of ids) expect(pushes(id)).toHaveLength(1);
}, 180_000);
