import { readFileSync } from 'node:fs';
import type { WorkerHost } from '../domain/ports/stores.js';

/** After the command name, which may hold anything: state is field 3 of proc(5) stat, the start time field 22. */
const STATE_AT = 0;
const START_AT = 22 - 3;
const DEAD_STATES = ['Z', 'X'];

/**
 * Start time of a live process in clock ticks since boot (Linux); null when no such process lives, a zombie included;
 * `unknown` where the platform does not tell.
 */
export function processStartOf(pid: number): string | 'unknown' | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return DEAD_STATES.includes(fields[STATE_AT] ?? '') ? null : (fields[START_AT] ?? 'unknown');
  } catch {
    return existsBySignal(pid) ? 'unknown' : null;
  }
}

function existsBySignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** True when the process that `host` describes has ended; only for a host that is this one, of this boot. */
export function isProcessGone(host: WorkerHost): boolean {
  const start = processStartOf(host.pid);
  if (start === null) return true;
  return start !== 'unknown' && host.processStart !== '' && start !== host.processStart;
}
