import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The least of many says what the work takes, the middle what it took beside the others' load. */
export interface Times {
  readonly leastMs: number;
  readonly p50Ms: number;
}

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;

export const timesOf = (values: readonly number[]): Times => ({
  leastMs: Math.min(...values),
  p50Ms: percentile(values, 0.5),
});

export const above = (one: Times, other: Times): Times => ({
  leastMs: one.leastMs - other.leastMs,
  p50Ms: one.p50Ms - other.p50Ms,
});

/** A tick of the kernel's accounts; the same on every Linux that Node runs on. */
const TICK_MS = 10;

/** Processor time of all processes that this one has waited for, and of theirs; Linux alone. */
export function childrenCpuMs(): number {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS;
}

export interface Ran {
  /** Until it has printed anything; NaN: it did not. */
  readonly firstMs: number;
  readonly endMs: number;
}

/** One process, as bare as Node starts it. */
export function runBare(file: string, args: readonly string[], input = ''): Promise<Ran> {
  const begun = performance.now();
  let firstMs = Number.NaN;
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdout.on('data', () => {
    if (Number.isNaN(firstMs)) firstMs = performance.now() - begun;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve({ firstMs, endMs: performance.now() - begun }));
  });
}
