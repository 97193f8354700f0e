// Runs phases one after the other, each to its end, and says how long each took.
import { spawnSync } from 'node:child_process';

/** `phases`: name -> function that answers whether it went well. Gives the names of those that did not. */
export async function runPhases(phases) {
  const failed = [];
  for (const [name, phase] of Object.entries(phases)) {
    const startedMs = performance.now();
    const ok = await phase();
    if (!ok) failed.push(name);
    console.log(`${ok ? 'ok  ' : 'FAIL'} ${name} ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  }
  return failed;
}

/** A phase that runs a script of node_modules with this Node. */
export const node =
  (cwd, ...args) =>
  () =>
    spawnSync(process.execPath, args, { cwd, stdio: 'inherit' }).status === 0;
