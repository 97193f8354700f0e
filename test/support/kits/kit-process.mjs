// `kit serve` from what was built, as its command starts it, but with fault points that are told of
// and die. argv[2]: {workspace, home, port, hits, dieAt} as JSON. Says `listening URL` on stdout.
import { appendFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { loadPlugins } from '../../../dist/boot/discovery/plugins.js';
import { mapKitModules } from '../../../dist/boot/module-map.js';
import { readSettings } from '../../../dist/boot/settings.js';
import { countHits } from '../../../dist/lib/count-hits.js';

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
// The parent of this process is the only writer of the argument.
const { workspace, port, hits, dieAt } = JSON.parse(process.argv[2] ?? '{}');

const faults = countHits((name, nth) => {
  appendFileSync(hits, `${process.pid} ${name} ${nth}\n`);
  if (dieAt?.name !== name || dieAt.nth !== nth) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;); // the signal is on its way: not one more statement
});

/** Nobody is left to ask it. */
process.stdin.resume().on('end', () => process.kill(process.pid, 'SIGKILL'));

mapKitModules(packageRoot);
// Behind the exports of the running kit.
const { createApp } = await import('../../../dist/boot/app.js');
const { runServer } = await import('../../../plugins/serve/dist/start/run-server.js');
const { env } = process;
const app = createApp({
  plugins: await loadPlugins({ packageRoot, env }),
  settings: readSettings({ env, cwd: workspace, stdinKind: 'none', stdout: {}, stderr: {} }),
  env,
  logLines: { write: (line) => process.stderr.write(line) },
  scratch: { schema: 'kit', faults },
});
const options = {
  workspace,
  role: 'all',
  maxQueued: null,
  host: '127.0.0.1',
  port,
  profile: 'standard',
  insecure: false,
};
const { url } = await runServer(app, { ...options, corsOrigins: [] }, '0.0.0');
// It is killed in the end: what it has compiled would be compiled by each that comes after it.
flushCompileCache();
process.stdout.write(`listening ${url}\n`);
