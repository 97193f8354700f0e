import { expect, it, onTestFinished } from 'vitest';
import { createTestContext } from '../../src/domain/testing.js';
import { createPluginHost } from '../../src/host/plugin-host.js';
import { FakeClock } from '../support/fake-clock.js';

const contributes = {
  executors: [{ id: 'acme.x', name: 'x', title: 'x', module: './dist/x.js', effects: [] }],
};

it('creates anew when it is asked to try again, imports once, and keeps what it has made', async () => {
  const context = createTestContext();
  let isIn = false;
  let isNull = false;
  let imports = 0;
  const create = () => {
    if (!isIn) throw new Error('nobody is in');
    return isNull ? null : {};
  };
  const silent = () => {};
  const plugin = { name: '@acme/p', version: '1.0.0', origin: 'bundled', root: '/plugins/p' } as const;
  const host = createPluginHost(
    [{ ...plugin, kitKey: { manifestVersion: 1, api: '^1.0.0', contributes }, commands: [], dropped: [] }],
    {
      clock: new FakeClock(),
      log: { debug: silent, info: silent, warn: silent, error: silent },
      fetch: globalThis.fetch,
      outbound: context.outbound,
      vaultOf: () => context.vault,
      secretsFor: () => ({ env: () => null, credential: async () => '' }),
      verifyIntegrity: async () => {},
      importModule: async () => {
        imports += 1;
        return { contribution: { $$type: 'kit.executors', version: 1, create } };
      },
    },
  );
  onTestFinished(() => host.dispose());

  const first: unknown = await host.resolve('executors', 'x', {}).catch((error: unknown) => error);
  const second: unknown = await host.retry('executors', 'x', {}).catch((error: unknown) => error);
  isIn = true;
  isNull = true;
  await expect(host.retry('executors', 'x', {})).rejects.toMatchObject({ code: 'KIT_PLUGIN_LOAD_FAILED' });
  isNull = false;
  await expect(host.resolve('executors', 'x', {})).rejects.not.toBe(second);
  const third = await host.retry('executors', 'x', {});

  expect(second).toMatchObject({ code: 'KIT_PLUGIN_LOAD_FAILED' });
  expect(second).not.toBe(first);
  expect(await host.retry('executors', 'x', {})).toBe(third);
  expect(imports).toBe(1);
  expect(host.report()).toMatchObject([{ state: 'active', code: null }]);
});
