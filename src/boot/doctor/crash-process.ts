// One process of `kit doctor --crash`: goes on with the built-in run as far as it gets, through the
// use cases of every command, and kills itself at its fault point. argv[2] = a CrashProcessPlan. It
// ends with its parent.
import { appendFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeError } from '../../cli/problem.js';
import { carryRun } from '../../doctor/carry-run.js';
import { CRASH_JOB, type CrashProcessPlan, type CrashProcessReport, crashPaths } from '../../doctor/crash-plan.js';
import { countHits } from '../../lib/count-hits.js';
import { createApp } from '../app.js';
import { loadPlugins } from '../discovery/plugins.js';
import { mapKitModules } from '../module-map.js';
import { readSettings } from '../settings.js';

const packageRoot = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
// The parent of this process is the only writer of the argument.
const plan = JSON.parse(process.argv[2] ?? '{}') as CrashProcessPlan;
const paths = crashPaths(plan.dir);

const faults = countHits((name, nth) => {
  appendFileSync(paths.hits, `${name} ${nth}\n`);
  if (plan.dieAt?.name !== name || plan.dieAt.nth !== nth) return;
  process.kill(process.pid, 'SIGKILL');
  for (;;); // the signal is on its way: not one more statement
});

/** Nobody is left to read what it does. */
process.stdin.resume().on('end', () => process.kill(process.pid, 'SIGKILL'));

async function carry(): Promise<CrashProcessReport> {
  const { env } = process;
  mapKitModules(packageRoot);
  const app = createApp({
    plugins: await loadPlugins({ packageRoot, env }),
    settings: readSettings({ env, cwd: process.cwd(), stdinKind: 'none', stdout: {}, stderr: {} }),
    env,
    logLines: { write: () => undefined },
    scratch: { schema: plan.schema, faults },
  });
  try {
    await carryRun(app, {
      workspace: paths.workspace,
      job: CRASH_JOB,
      onEvent: ({ eventId, hash }) => appendFileSync(paths.shown, `${eventId} ${hash}\n`),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    return { ok: true };
  } catch (error) {
    const { code, message, hint } = describeError(error);
    return { ok: false, code, message, hint: hint ?? null };
  } finally {
    await app.close();
  }
}

const said = await carry();
writeFileSync(1, `${JSON.stringify(said)}\n`);
process.exit(0);
