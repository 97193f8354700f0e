import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, platform } from 'node:os';
import type { ContainerOwner } from '../domain/container-owner.js';
import type { WorkerHost } from '../domain/ports/stores.js';

/**
 * Field 22 of /proc/<pid>/stat, counted from the state, which is the first field after the command
 * in parentheses.
 */
const START_TIME_INDEX = 19;
const PROBE_TIMEOUT_MS = 5_000;

/** Facts of this process for the same-host takeover rule (docs/design/journal.md#same-host). */
export function readWorkerHost(): WorkerHost {
  return {
    hostname: hostname(),
    bootId: readBootId(),
    pid: process.pid,
    processStart: processStartOf(process.pid) ?? 'unknown',
  };
}

/**
 * Start of a living process in the platform's own notation; null when there is none with this pid
 * (a zombie is none). Two values are only ever compared for equality.
 */
export function processStartOf(pid: number): string | null {
  return platform() === 'linux' ? startFromProc(pid) : startFromPs(pid);
}

/**
 * `dead`: certainly gone, so its lease may be taken over at once. `alive`: never taken over by time
 * alone. `elsewhere`: another host, boot or process namespace: only the store's clock decides.
 */
export function livenessOf(owner: WorkerHost, here: WorkerHost): 'alive' | 'dead' | 'elsewhere' {
  if (owner.hostname !== here.hostname) return 'elsewhere';
  // After a reboot nothing of the former boot lives; but a container with the same name has its own
  // boot id and is not a proof.
  if (owner.bootId !== here.bootId) return 'elsewhere';
  return processStartOf(owner.pid) === owner.processStart ? 'alive' : 'dead';
}

/**
 * Containers of this process, told by what tells a dead worker: host, boot, process and its start.
 */
export function containerOwner(here: WorkerHost): ContainerOwner {
  return {
    label: Buffer.from(JSON.stringify(here)).toString('base64url'),
    isGone: (label) => {
      const owner = readOwner(label);
      return owner !== null && livenessOf(owner, here) === 'dead';
    },
  };
}

/** Anybody can write a label: one that holds anything else names nobody. */
function readOwner(label: string): WorkerHost | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(label, 'base64url').toString('utf8'));
    if (typeof value !== 'object' || value === null) return null;
    const { hostname, bootId, pid, processStart } = value as Readonly<Record<string, unknown>>;
    return typeof hostname === 'string' &&
      typeof bootId === 'string' &&
      typeof pid === 'number' &&
      typeof processStart === 'string'
      ? { hostname, bootId, pid, processStart }
      : null;
  } catch {
    return null;
  }
}

function startFromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[START_TIME_INDEX] ?? null);
  } catch {
    return null;
  }
}

function startFromPs(pid: number): string | null {
  const [stat, ...start] = (run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]) ?? '').trim().split(/\s+/);
  return stat === undefined || stat === '' || stat.startsWith('Z') ? null : start.join(' ');
}

/**
 * A pid means something only inside its process namespace: two containers share a kernel boot, not
 * their pids.
 */
function readBootId(): string {
  if (platform() !== 'linux') return run('sysctl', ['-n', 'kern.bootsessionuuid'])?.trim() ?? 'unknown';
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return 'unknown';
  }
}

function run(command: string, args: readonly string[]): string | null {
  try {
    return execFileSync(command, [...args], {
      encoding: 'utf8',
      timeout: PROBE_TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' },
    });
  } catch {
    return null;
  }
}
