import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { contribution } from '../../../plugins/serve/src/mounts/events/mount.js';
import { createEventsApp, type EventsDeps } from '../../../src/app/events/create-events-app.js';
import type { StoredEvent } from '../../../src/domain/events.js';
import type { RoleDirectory } from '../../../src/domain/gates.js';
import { createManualClock, openSqliteWorld, SILENT, type SqliteWorld } from '../store-world.js';
import type { Answer } from './review-server.js';
import { as, serveGroup } from './serve-group.js';

/** The routes of the log over the real use cases and a real store. */
export interface EventsServer {
  readonly world: SqliteWorld;
  readonly server: FastifyInstance;
  get(url: string): Promise<Answer>;
  signal(body: object, client?: string): Promise<Answer>;
  /** Events of the log of one type, in order. */
  logged(type: StoredEvent['type']): Promise<readonly StoredEvent[]>;
}

export const FLOW_ROLES: RoleDirectory = {
  roles: [
    { id: 'release', members: ['rita'], scopes: ['pipeline:advance'] },
    { id: 'ops', members: ['olaf'], scopes: ['pipeline:skip', 'release:sign'] },
  ],
  identities: [{ id: 'rita', aliases: ['rita@example.org'] }],
  digest: 'd'.repeat(64),
};

export async function openEventsServer(over: Partial<EventsDeps> = {}): Promise<EventsServer> {
  const clock = createManualClock();
  const world = await openSqliteWorld({ clock });
  onTestFinished(() => world.dispose());
  const no = () => Promise.reject(new Error('not part of this test'));
  const app = createEventsApp({
    clock: {
      ...clock,
      sleep: (_ms, signal) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    },
    ids: world.ids,
    log: SILENT,
    random: () => 0,
    openStores: async () => world.stores,
    makeStores: async () => world.stores,
    readRoles: async () => FLOW_ROLES,
    current: no,
    openSink: no,
    openListener: async () => null,
    exporter: null,
    figures: async () => [],
    maskOf: async () => (text) => text,
    ...over,
  });
  const server = await serveGroup(contribution, { events: app });
  return {
    world,
    server,
    get: async (url) => {
      const answer = await server.inject({ url, headers: as('read') });
      return { status: answer.statusCode, body: answer.json() };
    },
    signal: async (body, client = 'alice') => {
      const answer = await server.inject({
        method: 'POST',
        url: '/events/signal',
        headers: as('run', client),
        payload: body,
      });
      return { status: answer.statusCode, body: answer.json() };
    },
    logged: async (type) => (await world.stores.events.read({ limit: 1000, types: [type] })).events,
  };
}
