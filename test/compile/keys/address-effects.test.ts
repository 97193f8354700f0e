import { expect, test } from 'vitest';
import type { PreparedServer } from '../../../src/app/serve/http-app.js';
import { prepareServer } from '../../../src/app/serve/prepare-server.js';
import { openAuthScene } from '../../support/serving/auth-scene.js';
import { showsEffect } from '../../support/shows-effect.js';
import { ADDRESS_PROOFS, PAGE_PROOFS } from './proofs/address-proofs.js';
import { VERDICTS } from './proofs/verdict-scene.js';

const OPTIONS = {
  host: null,
  port: null,
  role: 'all',
  maxQueued: null,
  profile: 'standard',
  insecure: false,
  corsOrigins: [],
} as const;

/** What a server is told of this directory, with these flags. */
async function serverOf(
  directory: string,
  flags: { readonly host?: string; readonly port?: number } = {},
): Promise<PreparedServer> {
  const scene = await openAuthScene(directory, { PATH: process.env.PATH ?? '' });
  try {
    return await prepareServer(
      { ...OPTIONS, workspace: directory, ...flags },
      {
        workspace: async () => scene.workspace,
        auth: scene.open,
        roles: async () => scene.roles,
        plugins: async () => [],
        oauthKey: 'unset',
        assertShared: async () => undefined,
      },
    );
  } finally {
    await scene.close();
  }
}

async function addressOf(
  directory: string,
  flags?: { readonly host?: string; readonly port?: number },
): Promise<unknown> {
  const { host, port } = await serverOf(directory, flags);
  return { host, port };
}

test.each(PAGE_PROOFS)(
  '$key changes by which names a server without authentication is called',
  async ({ key, a, b }) => {
    await showsEffect(key, a, b, { base: VERDICTS, observe: async (directory) => (await serverOf(directory)).pages });
  },
);

test.each(ADDRESS_PROOFS)('$key changes where a server listens', async ({ key, a, b }) => {
  await showsEffect(key, a, b, { base: VERDICTS, observe: addressOf });
});

test.each(ADDRESS_PROOFS)('a flag wins over $key', async ({ key, a, b }) => {
  const seen: unknown[] = [];
  const observe = async (directory: string): Promise<unknown> => {
    seen.push(await addressOf(directory, { host: 'localhost', port: 0 }));
    return addressOf(directory);
  };
  await showsEffect(key, a, b, { base: VERDICTS, observe, entry: 'with flags' });
  expect(new Set(seen.map((one) => JSON.stringify(one)))).toEqual(new Set(['{"host":"localhost","port":0}']));
});
