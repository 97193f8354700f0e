import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { onNetwork, paused } from '../../../plugins/console/web/src/api/paused.js';

const LONG_MS = 600_000;

it('a page that waits to ask again asks at once when the network is back', async () => {
  const network = new EventTarget();
  const { signal } = new AbortController();

  const waiting = paused(LONG_MS, { signal, network });
  network.dispatchEvent(new Event('online'));
  await waiting;

  expect(getEventListeners(network, 'online')).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('a page that is left waits no longer, and one that is waited for keeps nothing', async () => {
  const network = new EventTarget();
  const over = new AbortController();

  await paused(1, { signal: over.signal, network });
  expect(getEventListeners(over.signal, 'abort')).toEqual([]);

  const waiting = paused(LONG_MS, { signal: over.signal, network });
  over.abort();
  await waiting;
  await paused(LONG_MS, { signal: over.signal, network });
  expect(getEventListeners(network, 'online')).toEqual([]);
});

it.each(['online', 'offline'])('what was asked over the network of before is given up: %s', (event) => {
  const network = new EventTarget();
  const over = new AbortController();

  const asking = onNetwork({ signal: over.signal, network });
  expect(asking.signal.aborted).toBe(false);
  network.dispatchEvent(new Event(event));
  expect(asking.signal.reason).toBeInstanceOf(TypeError);
  expect(over.signal.aborted).toBe(false);

  asking.end();
  for (const name of ['online', 'offline']) expect(getEventListeners(network, name)).toEqual([]);
});

it('what is asked for is over with its page', () => {
  const over = new AbortController();
  const asking = onNetwork({ signal: over.signal, network: new EventTarget() });
  over.abort();
  expect(asking.signal.aborted).toBe(true);
  asking.end();
});
