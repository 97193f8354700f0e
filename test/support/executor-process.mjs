// Resolves executor argv[2] through the built host, as an engine would, and prints what it answers.
import { fileURLToPath } from 'node:url';
import { loadPlugins } from '../../dist/boot/discovery/plugins.js';
import { mapKitModules } from '../../dist/boot/module-map.js';
import { createIntegrityLock } from '../../dist/host/integrity-lock.js';
import { createPluginHost } from '../../dist/host/plugin-host.js';
import { createClock } from '../../dist/system/clock.js';
import { createLog } from '../../dist/system/log.js';

const packageRoot = fileURLToPath(new URL('../..', import.meta.url));
const plugins = await loadPlugins({ packageRoot, env: process.env });
mapKitModules(packageRoot);
const clock = createClock();
const host = createPluginHost(plugins.candidates, {
  clock,
  log: createLog({ clock }),
  fetch: globalThis.fetch,
  outbound: () => Promise.reject(new Error('nothing is called here')),
  vaultOf: () => ({}),
  secretsFor: () => ({ env: () => null, credential: async () => '' }),
  verifyIntegrity: createIntegrityLock(plugins.dataDir).verify,
  importModule: (url) => import(url),
});
const answer = await host.resolve('executors', process.argv[2], { prefix: 'p' }).then(
  (executor) => executor.run({ statement: 'hi' }, {}),
  (error) => ({ code: error.code }),
);
await host.dispose();
console.log(JSON.stringify({ answer, state: host.report().find(({ origin }) => origin !== 'bundled')?.state }));
