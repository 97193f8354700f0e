import { onTestFinished } from 'vitest';
import { contribution as webhook } from '../../plugins/sinks/src/webhook.js';
import type { SinkDelivery } from '../../src/app/events/events-app.js';
import { startDelivery } from '../../src/app/events/sinks/delivery.js';
import type { EventSink } from '../../src/domain/ports/sinks.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import type { Log } from '../../src/domain/ports/system.js';
import type { SinkSettings } from '../../src/domain/server-settings.js';
import { createTestContext } from '../../src/domain/testing.js';
import { TestClock } from '../../src/testing/test-clock.js';
import { messageEvent } from './store-samples.js';
import { openSqliteWorld, type SqliteWorld } from './store-world.js';

/** A line of the server's log. */
export interface Line {
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One server that delivers; its clock moves when the test moves it. */
export interface SinkServer {
  readonly delivery: SinkDelivery;
  readonly clock: TestClock;
  readonly lines: readonly Line[];
  /** What the next `reload` finds. */
  settings: readonly SinkSettings[];
}

export interface SinkServerOptions {
  readonly holder?: string;
  readonly stores?: Pick<Stores, 'events' | 'serving'>;
  /** Sinks beside the bundled webhook, by name. */
  readonly sinks?: Readonly<Record<string, EventSink>>;
}

export const post = (url: string, types: readonly string[] = []): SinkSettings => ({
  sink: 'webhook',
  config: { url },
  types,
});

export async function openSinkWorld(): Promise<SqliteWorld> {
  const world = await openSqliteWorld();
  onTestFinished(() => world.dispose());
  return world;
}

/** Real delivery to real webhooks over a real store; stopped before the store closes. */
export async function startSinkServer(
  world: SqliteWorld,
  settings: readonly SinkSettings[],
  options: SinkServerOptions = {},
): Promise<SinkServer> {
  const clock = new TestClock();
  const lines: Line[] = [];
  const write = (message: string, data: Readonly<Record<string, unknown>> = {}): void =>
    void lines.push({ message, data });
  const log: Log = { debug: () => {}, info: write, warn: write, error: write };
  const context = createTestContext({ fetch: globalThis.fetch });
  const server: { settings: readonly SinkSettings[] } = { settings };
  const delivery = await startDelivery(
    { jobs: world.stores.jobs, ...(options.stores ?? world.stores) },
    {
      clock,
      random: () => 0,
      log,
      holder: options.holder ?? 'server-1',
      atStart: 'refuse',
      lead: 'sinks',
      figures: async () => [],
      current: async () => ({ id: 'shop', sinks: server.settings, server: { publicUrl: null } }),
      openSink: async (name, config) => options.sinks?.[name] ?? webhook.create(config, context),
    },
  );
  onTestFinished(() => delivery.stop());
  return Object.assign(server, { delivery, clock, lines });
}

/** Commits events that belong to no run. */
export async function say(world: SqliteWorld, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await world.stores.events.append(messageEvent(world.ids.uuid(), text), {});
}
