// Runs phases, each to its end, and says how long each took. A phase is a function that answers
// whether it went well; it prints through the sink that it is given.
import { spawn } from 'node:child_process';

/** Prints at once. */
const live = { stdio: 'inherit', write: (text) => process.stdout.write(text), flush: () => {} };

/** Keeps what a phase prints until it has ended, so that no two phases print into each other. */
function held() {
  const chunks = [];
  return {
    stdio: 'pipe',
    write: (text) => chunks.push(text),
    flush: () => process.stdout.write(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)))),
  };
}

async function runPhase(name, phase, sink) {
  const startedMs = performance.now();
  const ok = await phase(sink);
  sink.write(`${ok ? 'ok  ' : 'FAIL'} ${name} ${((performance.now() - startedMs) / 1000).toFixed(1)} s\n`);
  sink.flush();
  return ok ? [] : [name];
}

/** One after the other. `phases`: name -> phase. Gives the names of those that did not go well. */
export async function runPhases(phases) {
  const failed = [];
  for (const [name, phase] of Object.entries(phases)) failed.push(...(await runPhase(name, phase, live)));
  return failed;
}

/** As `runPhases`, `atOnce` of them at a time; a phase prints when it has ended. */
export async function runPhasesAtOnce(phases, atOnce) {
  const failed = [];
  const waiting = Object.entries(phases);
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      failed.push(...(await runPhase(next[0], next[1], held())));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return failed;
}

/**
 * A phase that runs a script of node_modules with this Node. `onStart` is told the process.
 */
export const node =
  (cwd, ...args) =>
  (sink = live) =>
    runNode({ cwd, args, sink });

export function runNode({ cwd, args, env = process.env, sink = live, onStart = () => {} }) {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', sink.stdio, sink.stdio] });
  onStart(child);
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => sink.write(chunk));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      sink.write(`${error.message}\n`);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
}
