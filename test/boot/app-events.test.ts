import { describe, expect, it, onTestFinished } from 'vitest';
import { createSessionLife, type SessionLife } from '../../src/app/runs/session-life.js';
import { createEvents } from '../../src/boot/app-events.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { EventSink, SignalListener } from '../../src/domain/ports/sinks.js';
import { createClock } from '../../src/system/clock.js';
import { openSinkWorld, say } from '../support/sink-world.js';
import { SILENT, type SqliteWorld } from '../support/store-world.js';

interface Setup {
  readonly plugins?: readonly string[];
  readonly signal?: { readonly url: string; readonly credentialsRef: string | null } | null;
  /** Of the session that hears; default: nothing is done at its end. */
  readonly life?: SessionLife;
  readonly whenTold?: () => void;
}

/** Who hears of an event: the id of a contribution with its configuration. */
async function hearing(setup: Setup): Promise<unknown> {
  const { plugins = [], signal = null, life = createSessionLife(async () => undefined) } = setup;
  const world = await openSinkWorld();
  const heard: unknown[] = [];
  const listener = (name: unknown): SignalListener => ({
    deliver: async () => {
      heard.push(name);
      setup.whenTold?.();
    },
  });
  const session = {
    ...life,
    workspace: { server: { signal } },
    credentials: { render: async (text: string) => text.replace('${HOST}', 'app.example') },
    plugins: {
      list: () => [...plugins, 'kit.signal-http'].map((id) => ({ id })),
      resolve: async (_point: string, id: string, config: JsonObject) => listener({ id, config }),
    },
    openStores: async () => world.stores,
  };
  const events = eventsOf(world, () => session);
  await events.signal({
    workspace: '/workspace',
    correlationId: 'order-7',
    event: 'paid',
    sourceEventId: null,
    mode: 'emit',
    pipeline: null,
    from: { kind: 'trigger', id: 'nightly' },
  });
  expect((await world.stores.events.read({ limit: 1 })).events).toMatchObject([
    { payload: { source: 'webhook:nightly', identity: null, outcome: 'delivered' } },
  ]);
  expect(heard).toHaveLength(1);
  return heard[0];
}

const signal = { url: 'https://${HOST}/in', credentialsRef: 'app' };

describe('the one listener of an application', () => {
  it('is that of an installed plugin, of several the first by id', async () => {
    expect(await hearing({ plugins: ['zeta.flow', 'acme.flow'], signal })).toEqual({ id: 'acme.flow', config: {} });
  });

  it('is the address of the workspace, with its references resolved', async () => {
    expect(await hearing({ signal })).toEqual({
      id: 'kit.signal-http',
      config: { url: 'https://app.example/in', credentials_ref: 'app' },
    });
  });

  it('has the plugins of its session until it has answered, though a reload replaces the session', async () => {
    const said: string[] = [];
    const life = createSessionLife(async () => void said.push('ended'));
    const whenTold = () => {
      life.retire();
      said.push('answered');
    };

    await hearing({ plugins: ['acme.flow'], life, whenTold });

    expect(said).toEqual(['answered', 'ended']);
  });

  it('is nobody where none of these is there', async () => {
    await expect(hearing({})).rejects.toMatchObject({ code: 'KIT_NO_LISTENER' });
  });
});

/** The log of a world, with what a workspace is made of as `session` tells it. */
const eventsOf = (world: SqliteWorld, session: () => unknown) =>
  createEvents(
    {
      events: async () => ({
        clock: createClock(),
        ids: world.ids,
        log: SILENT,
        exporter: null,
        openStores: async () => world.stores,
        readRoles: () => Promise.reject(new Error('nobody advances here')),
        maskOf: async () => (text) => text,
        sessionOf: async () => session() as never, // the parts of a session that an event touches
      }),
    },
    async () => [],
  );

describe('a sink that a reload leaves as it is', () => {
  it('delivers with the plugins of the workspace as it stands, and ends what is under way before', async () => {
    const world = await openSinkWorld();
    const sessions = [1, 2, 3].map((n) => sinkSession(n));
    let current = sessions[0];
    const events = eventsOf(world, () => ({ ...current?.session, openStores: async () => world.stores }));
    const delivery = await events.startSinks('/workspace');
    onTestFinished(() => delivery.stop());
    const reload = async (next: (typeof sessions)[number] | undefined) => {
      const before = current;
      current = next;
      await delivery.reload();
      before?.session.retire();
    };

    await say(world, 'one');
    await expect.poll(() => sessions[0]?.asked).toEqual(['one']);
    await reload(sessions[1]);
    expect(sessions[0]?.isOver()).toBe(false);
    sessions[0]?.answer();
    await expect.poll(() => sessions[0]?.isOver()).toBe(true);

    sessions[1]?.answer();
    sessions[2]?.answer();
    await say(world, 'two');
    await expect.poll(() => sessions[1]?.asked).toEqual(['two']);
    await reload(sessions[2]);
    await say(world, 'three');
    await expect.poll(() => sessions[2]?.asked).toEqual(['three']);
    expect(delivery.counters()).toMatchObject([{ delivered: 3, failed: 0 }]);
  });
});

/** A session with one sink, which answers from `answer` on, and fails once its session is over. */
function sinkSession(n: number) {
  const answered = Promise.withResolvers<void>();
  const asked: unknown[] = [];
  let isOver = false;
  const sink: EventSink = {
    deliver: async ({ payload }) => {
      if (isOver) return { kind: 'failed', detail: `session ${n} is over` };
      asked.push(payload.text);
      await answered.promise;
      return { kind: 'delivered' };
    },
  };
  const life = createSessionLife(async () => {
    isOver = true;
  });
  const session = {
    ...life,
    workspace: { id: 'shop', sinks: [{ sink: 'kept', config: {}, types: [] }], server: { publicUrl: null } },
    credentials: { render: async (text: string) => text },
    plugins: { retry: async () => sink },
  };
  return { session, asked, isOver: () => isOver, answer: () => answered.resolve() };
}
