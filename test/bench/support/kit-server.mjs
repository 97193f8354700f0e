// argv: a directory. `kit serve` of it from what was built, with all of its routes. Answers one
// line of JSON on stdout; then, for each line on stdin, one line: what it costs now.
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { loadPlugins } from '../../../dist/boot/discovery/plugins.js';
import { mapKitModules } from '../../../dist/boot/module-map.js';
import { readSettings } from '../../../dist/boot/settings.js';

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const [, , workspace] = process.argv;
mapKitModules(packageRoot);
// Behind the exports of the running kit.
const { createApp } = await import('../../../dist/boot/app.js');
const { runServer } = await import('../../../plugins/serve/dist/start/run-server.js');
const { env } = process;
const app = createApp({
  plugins: await loadPlugins({ packageRoot, env }),
  settings: readSettings({ env, cwd: workspace, stdinKind: 'none', stdout: {}, stderr: {} }),
  env,
  logLines: { write: () => undefined },
});
const place = { workspace, role: 'all', maxQueued: null, host: '127.0.0.1', port: 0, profile: 'standard' };
const server = await runServer(app, { ...place, insecure: false, corsOrigins: [] }, '0.0.0');
console.log(JSON.stringify({ url: server.url }));

for await (const _line of createInterface({ input: process.stdin })) {
  for (let n = 0; n < 3; n++) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, external } = process.memoryUsage();
  console.log(JSON.stringify({ heapBytes: heapUsed + external, cpuMs: (user + system) / 1000 }));
}
process.exit(0);
