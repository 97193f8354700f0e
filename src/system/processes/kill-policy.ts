/**
 * Who belongs to a supervised process, and how it is ended: the one place for both. The supervisor
 * uses it, and the worker when a supervisor died without a word. It imports `node:` modules only,
 * because the supervisor runs bare.
 *
 * execa's `killDescendants` was considered: it signals the group of a direct child from the parent.
 * Here the parent may be dead or stopped, and processes that left the group (setsid) count as well;
 * that needs the supervisor and the search below.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Environment variable whose value marks every descendant of one spawn, also those that left the
 * process group.
 */
export const MARKER_VARIABLE = 'KIT_PROCESS_ID';
/** Between TERM and KILL (docs/design/journal.md#one-scope). */
export const TERM_GRACE_MS = 10_000;
/**
 * For others of the group when the child itself has exited; they may hold its stdout open for ever.
 */
export const DRAIN_MS = 2_000;

const POLL_MS = 50;
const KILL_PAUSE_MS = 5;
/**
 * Rounds of KILL before the supervisor gives up and takes the group with itself: a fork bomb, or a
 * process stuck in the kernel.
 */
const KILL_ROUNDS = 400;
/**
 * An empty search proves little while a process forks and exits in the midst of it; two in a row
 * do.
 */
const EMPTY_SEARCHES = 2;

export interface KillTarget {
  /** Pid of the supervisor, which is the id of the process group. */
  readonly leaderPid: number;
  readonly marker: string;
  /** Never signalled: the supervisor spares itself. */
  readonly sparePid: number;
  /** Whoever has it on the command line belongs to it as well; '' and absent = nobody. */
  readonly word?: string;
}

interface ProcessRow {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupId: number;
  readonly isAlive: boolean;
  /** Clock ticks since boot; 0 where the platform does not tell. */
  readonly startedAtTicks: number;
}

/** Places in /proc/<pid>/stat, counted from the state, the first field after the command. */
const STAT = { state: 0, parentPid: 1, groupId: 2, startedAtTicks: 19, needed: 20 } as const;

/**
 * Living processes of the target: its group, everything that carries the marker, and descendants of
 * both.
 */
export function membersOf(target: KillTarget): readonly number[] {
  const rows = readProcessTable().filter((row) => row.isAlive);
  // Nothing that is older than the leader descends from it; reading environments is what a search
  // costs.
  const leaderStart = rows.find((row) => row.pid === target.leaderPid)?.startedAtTicks ?? 0;
  const found = new Set<number>();
  for (const row of rows) {
    if (row.startedAtTicks < leaderStart) continue;
    if (row.groupId === target.leaderPid || carriesMarker(row.pid, target.marker) || isNamed(row.pid, target.word))
      found.add(row.pid);
  }
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const row of rows) if (found.has(row.parentPid)) found.add(row.pid);
  }
  found.delete(target.sparePid);
  found.delete(process.pid);
  return [...found];
}

/**
 * Asks every member to end; CONT lets a stopped one hear it. The supervisor imports this file by a
 * path it builds at run time.
 * @public
 */
export function askToEnd(target: KillTarget): void {
  for (const pid of membersOf(target)) {
    send(pid, 'SIGTERM');
    send(pid, 'SIGCONT');
  }
}

/**
 * Waits until no member is left or `isOver` says so; true = none is left.
 * @public
 */
export async function waitForNone(target: KillTarget, isOver: () => boolean): Promise<boolean> {
  for (;;) {
    if (membersOf(target).length === 0) return true;
    if (isOver()) return false;
    await pause(POLL_MS);
  }
}

/**
 * Kills every member until none is left; false when some are still there after all rounds.
 * @param searched searches just before that found none; default 0
 */
export async function killAll(target: KillTarget, searched = 0): Promise<boolean> {
  for (let round = 0, empty = searched; round < KILL_ROUNDS; round += 1) {
    const members = membersOf(target);
    empty = members.length === 0 ? empty + 1 : 0;
    if (empty === EMPTY_SEARCHES) return true;
    for (const pid of members) send(pid, 'SIGKILL');
    await pause(members.length === 0 ? 0 : Math.min(KILL_PAUSE_MS + round, POLL_MS));
  }
  return false;
}

/**
 * Kills the group and its leader in one system call, which no fork can outrun.
 * @public
 */
export function killGroupWithLeader(leaderPid: number): void {
  send(-leaderPid, 'SIGKILL');
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone meanwhile, or not ours.
  }
}

function readProcessTable(): readonly ProcessRow[] {
  return process.platform === 'linux' ? readProc() : readPs();
}

function readProc(): readonly ProcessRow[] {
  const rows: ProcessRow[] = [];
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const stat = readOrNull(`/proc/${name}/stat`)?.toString('latin1');
    if (stat === undefined) continue;
    // The command in parentheses may hold anything, so the fields are counted from the last
    // parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ', STAT.needed);
    rows.push({
      pid,
      parentPid: Number(fields[STAT.parentPid]),
      groupId: Number(fields[STAT.groupId]),
      isAlive: !/^[ZX]/.test(fields[STAT.state] ?? ''),
      startedAtTicks: Number(fields[STAT.startedAtTicks]),
    });
  }
  return rows;
}

/** Elsewhere `ps` shows no environment: members are found by group and by parent. */
function readPs(): readonly ProcessRow[] {
  const text = execFileSync('/bin/ps', ['-axo', 'pid=,ppid=,pgid=,stat='], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields.length === 4)
    .map(([pid, parentPid, groupId, state]) => ({
      pid: Number(pid),
      parentPid: Number(parentPid),
      groupId: Number(groupId),
      isAlive: !(state ?? '').startsWith('Z'),
      startedAtTicks: 0,
    }));
}

function carriesMarker(pid: number, marker: string): boolean {
  if (process.platform !== 'linux') return false;
  return readOrNull(`/proc/${pid}/environ`)?.includes(`${MARKER_VARIABLE}=${marker}`) ?? false;
}

function isNamed(pid: number, word = ''): boolean {
  if (process.platform !== 'linux' || word === '') return false;
  return readOrNull(`/proc/${pid}/cmdline`)?.toString('latin1').split('\0').includes(word) ?? false;
}

function readOrNull(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
