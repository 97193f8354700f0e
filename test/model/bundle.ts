// The model check as one plain module: it runs at full speed, and a mutant is the same module with
// one line of the engine changed.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import type { CheckName, Order, Report } from './check.js';

/**
 * One statement of the engine, changed: `from` must stand exactly once in the file, however the
 * formatter breaks its lines.
 */
export interface Mutant {
  readonly name: string;
  /** Below src/govern/approval. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The check that must tell it from the oracle. */
  readonly foundBy: CheckName;
}

const ENTRY = fileURLToPath(new URL('model-process.ts', import.meta.url));
const MAX_REPORT_BYTES = 16 * 1024 * 1024;

const escaped = (word: string): string => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
const anyBreaks = (text: string): RegExp => new RegExp(text.split(/\s+/).map(escaped).join('\\s+'));

function changed(code: string, { name, file, from, to }: Mutant): string {
  const pieces = code.split(anyBreaks(from));
  if (pieces.length !== 2)
    throw new Error(`mutant "${name}": ${JSON.stringify(from)} stands ${pieces.length - 1} times in ${file}, not once`);
  return pieces.join(to);
}

/** Writes the module to `path`. Throws when a mutant does not apply. */
export async function bundleModel(path: string, mutant: Mutant | null): Promise<void> {
  let applied = false;
  const mutate = {
    name: 'mutate',
    transform: (code: string, id: string): string | null => {
      if (mutant === null || !id.endsWith(`/src/govern/approval/${mutant.file}`)) return null;
      applied = true;
      return changed(code, mutant);
    },
  };
  const bundle = await rolldown({
    input: ENTRY,
    platform: 'node',
    external: /^node:/,
    plugins: [mutate],
    logLevel: 'silent',
  });
  await bundle.write({ file: path, format: 'esm', codeSplitting: false });
  await bundle.close();
  if (mutant !== null && !applied) throw new Error(`mutant "${mutant.name}": ${mutant.file} is not part of the engine`);
}

/** One check in a process of its own, which ends with its report. */
export async function runModel(path: string, order: Order): Promise<Report> {
  const { stdout } = await promisify(execFile)(process.execPath, [path, JSON.stringify(order)], {
    maxBuffer: MAX_REPORT_BYTES,
  });
  return JSON.parse(stdout) as Report; // written by model-process.ts
}

/**
 * `one round: 1,024 cases, 5,000 states, 60,000 attempts in 2.1 s (recorded 900, not-member 40)`.
 */
export function reportText({ check, cases, states, attempts, seconds, outcomes }: Report): string {
  const count = (value: number): string => value.toLocaleString('en-US');
  const kinds = Object.entries(outcomes).map(([name, value]) => `${name} ${count(value)}`);
  return `${check}: ${count(cases)} cases, ${count(states)} states, ${count(attempts)} attempts in ${seconds.toFixed(1)} s (${kinds.join(', ')})`;
}
