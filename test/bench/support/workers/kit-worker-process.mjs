// argv: directory. A worker of kit as a process: the built package, wired as its commands wire it,
// with the work loop of every process that works. For each line on stdin one line of JSON on
// stdout: `go` starts it, `cost` tells what it has used.
import { fileURLToPath } from 'node:url';
import { answerLines } from './answer-lines.mjs';

const packageRoot = fileURLToPath(new URL('../../../..', import.meta.url));
const [{ createApp }, { loadPlugins }, { mapKitModules }, { readSettings }] = await Promise.all(
  ['app', 'discovery/plugins', 'module-map', 'settings'].map((name) => import(`../../../../dist/boot/${name}.js`)),
);

const [workspace] = process.argv.slice(2);
const plugins = await loadPlugins({ packageRoot, env: process.env });
mapKitModules(packageRoot);
const logLines = { write: (line) => process.stderr.write(line) };
const settings = readSettings({ env: process.env, cwd: process.cwd(), stdinKind: 'none', stdout: {}, stderr: {} });
const app = createApp({ plugins, settings, env: process.env, logLines });
await answerLines({ start: () => app.work.start({ workspace, jobClass: 'any', concurrency: null }) });
await app.work.drain(0);
await app.close();
