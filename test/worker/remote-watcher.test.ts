import { afterEach, describe, expect, it } from 'vitest';
import { KitError } from '../../src/domain/errors.js';
import type { JobNeeds } from '../../src/domain/job-needs.js';
import type { AgentTask } from '../../src/domain/ports/agent-transport.js';
import type { RemoteTasks } from '../../src/domain/ports/remote-agents.js';
import type { HeldWait, RemoteWait, RemoteWaitStore } from '../../src/domain/ports/remote-waits.js';
import { RemoteWatcher } from '../../src/worker/remote/remote-watcher.js';
import { FakeClock } from '../support/fake-clock.js';

const NEEDS: JobNeeds = { plugins: {}, adapters: {} };

interface Kept extends RemoteWait {
  settled: { readonly wakes: boolean } | null;
}

/** Rows in memory that keep the words of the port: nobody settles what somebody else holds. */
function keeping(clock: FakeClock) {
  const rows = new Map<string, Kept>();
  let at = 0;
  const held = (wait: HeldWait): Kept | undefined => {
    const row = rows.get(`${wait.jobId} ${wait.key}`);
    return row?.heldUntil === wait.heldUntil && row.settled === null ? row : undefined;
  };
  const store: RemoteWaitStore = {
    due: async (limit) =>
      [...rows.values()]
        .filter((row) => row.settled === null && Date.parse(row.heldUntil) <= clock.now())
        .slice(0, limit),
    gated: async () => [],
    hold: async (waits, leaseMs) =>
      waits.flatMap((wait) => {
        const row = held(wait);
        if (row === undefined) return [];
        const now: Kept = { ...row, heldUntil: new Date(clock.now() + leaseMs).toISOString() };
        rows.set(`${row.jobId} ${row.key}`, now);
        return [now];
      }),
    settle: async (wait, of) => {
      const row = held(wait);
      if (row !== undefined) row.settled = of;
      return row !== undefined;
    },
  };
  const add = (of: Partial<RemoteWait> = {}): string => {
    const jobId = `job${at++}`;
    const note = {
      agent: { cardUrl: 'http://agent.test/card', skillId: null, credentialsRef: null },
      task: `task-${jobId}`,
      isSending: false,
      deduplicates: true,
      looks: 0,
      workedMs: 0,
      at: clock.now(),
      url: 'http://agent.test/a2a',
      version: '1.0',
      state: 'working',
    };
    const row = {
      jobId,
      key: 'root/d0',
      heldUntil: new Date(0).toISOString(),
      status: 'running',
      isExecuted: false,
    } as const;
    rows.set(`${jobId} root/d0`, { ...row, needs: NEEDS, notes: { remote: note }, ...of, settled: null });
    return jobId;
  };
  return { store, add, of: (jobId: string) => rows.get(`${jobId} root/d0`) };
}

/** Agents whose tasks a test moves. */
function agents() {
  const states = new Map<string, AgentTask['state']>();
  const canceled: string[] = [];
  let refusal: Error | null = null;
  const open = new Set<() => void>();
  const tasks: RemoteTasks = {
    get: async (_agent, _to, id) => ({ id, state: states.get(id) ?? 'working', gateUrl: null }) as unknown as AgentTask,
    cancel: async (_agent, _to, id) => {
      if (refusal !== null) throw refusal;
      canceled.push(id);
    },
    async *follow({ signal }) {
      const over = Promise.withResolvers<void>();
      const end = (): void => over.resolve();
      open.add(end);
      signal.addEventListener('abort', end);
      await over.promise;
      open.delete(end);
      yield 'completed' as AgentTask['state'];
    },
  };
  return { tasks, states, canceled, open, refuse: (error: Error | null) => (refusal = error) };
}

const watchers: RemoteWatcher[] = [];
afterEach(async () => {
  for (const watcher of watchers.splice(0)) await watcher.close();
});

function scene(offers: Readonly<Record<string, string>> = {}) {
  const clock = new FakeClock();
  const begunMs = clock.now();
  const rows = keeping(clock);
  const there = agents();
  const watcher = new RemoteWatcher({
    waits: rows.store,
    tasks: () => there.tasks,
    offers: async () => ({ plugins: offers, adapters: {} }),
    clock,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  watchers.push(watcher);
  return { clock, rows, there, watcher, passedMs: () => clock.now() - begunMs };
}

/** Lets time pass until it holds: what waits in between is woken, nothing sleeps in earnest. */
async function passing(clock: FakeClock, holds: () => boolean, stepMs = 1_000): Promise<void> {
  for (let turn = 0; turn < 2_000; turn++) {
    if (holds()) return;
    await clock.advance(stepMs);
  }
  throw new Error('it did not come to hold');
}

describe('a process that watches remote tasks', () => {
  it('wakes the run whose task has moved, and no other', async () => {
    const { clock, rows, there, watcher } = scene();
    const [moving, still] = [rows.add(), rows.add()];
    watcher.start();
    await passing(clock, () => Date.parse(rows.of(still)?.heldUntil ?? '') > clock.now());

    there.states.set(`task-${moving}`, 'completed');

    await passing(clock, () => rows.of(moving)?.settled !== null);
    expect(rows.of(moving)?.settled).toEqual({ wakes: true });
    expect(rows.of(still)?.settled).toBeNull();
  });

  it.each([
    [9, true],
    [40, false],
  ])('takes up the next of %i moves at once: %s; else the task rests first', async (moves, atOnce) => {
    const { clock, rows, there, watcher, passedMs } = scene();
    const id = rows.add();
    Object.assign(rows.of(id)?.notes?.remote ?? {}, { moves, movedAt: clock.now() });
    there.states.set(`task-${id}`, 'input-required');
    watcher.start();
    await passing(clock, () => rows.of(id)?.settled !== null);
    expect([passedMs() < 5_000, passedMs() < 29_000]).toEqual([atOnce, atOnce]);
  });

  it('wakes a run whose call has come to an end, and one that sends again by itself is left', async () => {
    const { clock, rows, watcher } = scene();
    const ended = rows.add({ notes: null });
    const busy = rows.add({ isExecuted: true });
    watcher.start();

    await passing(clock, () => rows.of(ended)?.settled !== null);
    expect(rows.of(ended)?.settled).toEqual({ wakes: true });
    expect(rows.of(busy)?.settled).toBeNull();
  });

  it('cancels the task of a run that was stopped, and tries again while its agent is away', async () => {
    const { clock, rows, there, watcher, passedMs } = scene();
    there.refuse(new KitError('KIT_OUTBOUND_FAILED', 'nobody answers'));
    const stopped = rows.add({ status: 'stopped' });
    watcher.start();
    await passing(clock, () => passedMs() > 60_000);
    expect(rows.of(stopped)?.settled).toBeNull();

    there.refuse(null);

    await passing(clock, () => rows.of(stopped)?.settled !== null);
    expect(there.canceled).toEqual([`task-${stopped}`]);
    expect(rows.of(stopped)?.settled).toEqual({ wakes: false });
  });

  it('waits for an agent that is away for ten minutes, and goes on when it is back', async () => {
    const { clock, rows, there, watcher, passedMs } = scene();
    const { get } = there.tasks;
    let asked = 0;
    const isAway = (): boolean => passedMs() < 10 * 60_000;
    there.tasks.get = async (...of) => {
      asked += 1;
      if (isAway()) throw new KitError('KIT_OUTBOUND_FAILED', 'nobody answers');
      return get(...of);
    };
    const job = rows.add();
    there.states.set(`task-${job}`, 'completed');
    watcher.start();
    await passing(clock, () => !isAway());
    expect(rows.of(job)?.settled).toBeNull();
    // After 1, 2, 4 and then 30 seconds, and not at its own pace.
    expect(asked).toBeLessThan(30);

    await passing(clock, () => rows.of(job)?.settled !== null);
    expect(rows.of(job)?.settled).toEqual({ wakes: true });
  });

  it('leaves a task to its own limits when the agent refuses to cancel it', async () => {
    const { clock, rows, there, watcher } = scene();
    there.refuse(new KitError('KIT_AGENT_REFUSED', 'it is over', { data: { rpcCode: -32002 } }));
    const stopped = rows.add({ status: 'failed' });
    watcher.start();

    await passing(clock, () => rows.of(stopped)?.settled !== null);
    expect([there.canceled, rows.of(stopped)?.settled]).toEqual([[], { wakes: false }]);
  });

  it('leaves what it lacks the plugins for to others', async () => {
    const { clock, rows, watcher } = scene({ 'acme.agents': '1.0.0' });
    const theirs = rows.add({ needs: { plugins: { 'acme.agents': '^2.0.0' }, adapters: {} } });
    const mine = rows.add({ needs: { plugins: { 'acme.agents': '^1.0.0' }, adapters: {} }, notes: null });
    watcher.start();

    await passing(clock, () => rows.of(mine)?.settled !== null);
    expect(rows.of(theirs)?.heldUntil).toBe(new Date(0).toISOString());
  });

  it('follows two hundred of a thousand in streams, and looks at the others', async () => {
    const { clock, rows, there, watcher, passedMs } = scene();
    const noted = (jobId: string) => rows.of(jobId)?.notes?.remote as Record<string, unknown>;
    const jobs = Array.from({ length: 1_000 }, () => rows.add());
    for (const jobId of jobs) noted(jobId).streaming = true;
    watcher.start();
    await passing(clock, () => watcher.streams === 200);
    await passing(clock, () => passedMs() > 90_000);
    expect([watcher.streams, there.open.size]).toEqual([200, 200]);

    const last = jobs.at(-1) ?? '';
    there.states.set(`task-${last}`, 'completed');

    await passing(clock, () => rows.of(last)?.settled !== null);
    expect(watcher.streams).toBe(200);
  });

  it('lets go of everything when it closes, so that the next takes it at once', async () => {
    const { clock, rows, there, watcher } = scene();
    const jobId = rows.add();
    (rows.of(jobId)?.notes?.remote as Record<string, unknown>).streaming = true;
    watcher.start();
    await passing(clock, () => watcher.streams === 1);

    await watcher.close();

    expect(Date.parse(rows.of(jobId)?.heldUntil ?? '')).toBeLessThanOrEqual(clock.now());
    await passing(clock, () => there.open.size === 0);
  });
});
