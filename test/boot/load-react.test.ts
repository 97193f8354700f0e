import { afterEach, expect, it, vi } from 'vitest';
import { loadReact } from '../../src/boot/load-react.js';

afterEach(() => vi.unstubAllGlobals());

it('loads in the production build of React, and leaves NODE_ENV as it was', async () => {
  const env: NodeJS.ProcessEnv = { NODE_ENV: 'test' };
  expect(await loadReact(env, async () => env.NODE_ENV)).toBe('production');
  expect(env).toEqual({ NODE_ENV: 'test' });
});

it('reads what is carried as text without the HTTP client, hands on all else, and gives fetch back', async () => {
  const asked = vi.fn(async () => new Response('from elsewhere'));
  vi.stubGlobal('fetch', asked);

  const [carried, other] = await loadReact({}, async () => [
    await (await fetch('data:application/octet-stream;base64,AGFzbQ==')).arrayBuffer(),
    await (await fetch('http://127.0.0.1:1/')).text(),
  ]);

  expect(new Uint8Array(carried as ArrayBuffer)).toEqual(Uint8Array.from([0, 0x61, 0x73, 0x6d]));
  expect(other).toBe('from elsewhere');
  expect(asked).toHaveBeenCalledTimes(1);
  expect(globalThis.fetch).toBe(asked);
});

it('gives fetch back where loading fails', async () => {
  const { fetch } = globalThis;
  await expect(
    loadReact({}, async () => {
      throw new Error('no such module');
    }),
  ).rejects.toThrow('no such module');
  expect(globalThis.fetch).toBe(fetch);
});
