import { describe, expect, it } from 'vitest';
import { createEvents } from '../../src/boot/app-events.js';
import type { JsonObject } from '../../src/domain/json.js';
import type { SignalListener } from '../../src/domain/ports/sinks.js';
import { createClock } from '../../src/system/clock.js';
import { openSinkWorld } from '../support/sink-world.js';
import { SILENT } from '../support/store-world.js';

interface Setup {
  readonly given?: boolean;
  readonly plugins?: readonly string[];
  readonly signal?: { readonly url: string; readonly credentialsRef: string | null } | null;
}

/**
 * Who hears of an event: the one that the program gives, or the id of a contribution with its
 * configuration.
 */
async function hearing({ given = false, plugins = [], signal = null }: Setup): Promise<unknown> {
  const world = await openSinkWorld();
  const heard: unknown[] = [];
  const listener = (name: unknown): SignalListener => ({ deliver: async () => void heard.push(name) });
  const session = {
    workspace: { server: { signal } },
    credentials: { render: async (text: string) => text.replace('${HOST}', 'app.example') },
    plugins: {
      list: () => [...plugins, 'kit.signal-http'].map((id) => ({ id })),
      resolve: async (_point: string, id: string, config: JsonObject) => listener({ id, config }),
    },
    openStores: async () => world.stores,
  };
  const events = createEvents(
    {
      events: async () => ({
        clock: createClock(),
        ids: world.ids,
        log: SILENT,
        exporter: null,
        openStores: async () => world.stores,
        readRoles: () => Promise.reject(new Error('nobody advances here')),
        maskOf: async () => (text) => text,
        sessionOf: async () => session as never, // the parts of a session that a signal touches
      }),
    },
    { listener: given ? listener('given') : null, figures: async () => [] },
  );
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
  it('is the one that the program gives, before everything else', async () => {
    expect(await hearing({ given: true, plugins: ['acme.flow'], signal })).toBe('given');
  });

  it('is that of an installed plugin, of several the first by id', async () => {
    expect(await hearing({ plugins: ['zeta.flow', 'acme.flow'], signal })).toEqual({ id: 'acme.flow', config: {} });
  });

  it('is the address of the workspace, with its references resolved', async () => {
    expect(await hearing({ signal })).toEqual({
      id: 'kit.signal-http',
      config: { url: 'https://app.example/in', credentials_ref: 'app' },
    });
  });

  it('is nobody where none of these is there', async () => {
    await expect(hearing({})).rejects.toMatchObject({ code: 'KIT_NO_LISTENER' });
  });
});
