import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { connectMsAt } from '../../../src/store/postgres/connect-time.js';
import { createConnections } from '../../../src/store/postgres/connections.js';

it.each([
  [0, 3_500],
  [1_000, 3_500],
  [1_800, 2_700],
  [2_500, 2_000],
  [4_400, 2_000],
  [14_999, 2_000],
  [15_000, 3_500],
  [86_400_000, 3_500],
])('a process that began %i ms ago waits %i ms for a server', (uptimeMs, waitMs) => {
  expect(connectMsAt(uptimeMs)).toBe(waitMs);
});

it('a start that took long waits less than a short one for a server that accepts a connection and answers nothing, and names the setting', async () => {
  const silent = createServer((socket) => void socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  onTestFinished(() => void silent.close());
  // Listening on a port gives an address with one.
  const { port } = silent.address() as AddressInfo;
  const place = { url: `postgres://ada@127.0.0.1:${port}/kit`, setting: 'KIT_STORE_URL' };
  const givenUp: string[] = [];
  const wait = async (start: string, uptimeMs: number): Promise<void> => {
    const connections = await createConnections({ place, poolSize: 1, maxConnections: 3, uptimeMs: () => uptimeMs });
    onTestFinished(() => connections.close());
    await expect(connections.open()).rejects.toMatchObject({
      code: 'KIT_STORE_UNAVAILABLE',
      hint: expect.stringContaining('KIT_STORE_URL'),
    });
    givenUp.push(start);
  };

  await Promise.all([wait('short', 0), wait('long', 2_500)]);

  expect(givenUp).toEqual(['long', 'short']);
});
