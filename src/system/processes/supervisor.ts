/**
 * The supervisor: a bare Node process between worker and child that outlives the worker
 * (docs/design/journal.md#supervisor). It leads the process group, starts the child in it with the
 * worker's own pipes, and kills everything when the control pipe closes or when nobody renewed the
 * lease in time. stdout and stderr never pass through it.
 *
 * The build folds it with its policy into one CommonJS file, which starts in two thirds of the time
 * of two modules. From `src` (tests) Node strips its types: hence no syntax that needs compiling,
 * and the policy is found by its own ending.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { SupervisorCommand, SupervisorReport } from './protocol.js';

type StartCommand = Extract<SupervisorCommand, { op: 'start' }>;

type Policy = typeof import('./kill-policy.js');

const loadPolicy = (): Promise<Policy> =>
  import.meta.filename.endsWith('.ts') ? import(`${import.meta.dirname}/kill-policy.ts`) : import('./kill-policy.js');

const CONTROL_FD = 3;
const REPORT_FD = 4;
/**
 * The wall clock may be set, the monotonic one stops while a machine sleeps: both are looked at
 * this often.
 */
const TICK_MS = 1_000;
/** Signals that reach the whole group and must not end its leader before its members. */
const IGNORED: readonly NodeJS.Signals[] = [
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  'SIGQUIT',
  'SIGUSR1',
  'SIGUSR2',
  'SIGALRM',
  'SIGTSTP',
  'SIGTTIN',
  'SIGTTOU',
];

function supervise(control: Socket, reports: Socket, policy: Policy): void {
  let target: Parameters<typeof policy.killAll>[0] | null = null;
  let childGone: Promise<void> = Promise.resolve();
  let deadline = { wallMs: Number.POSITIVE_INFINITY, monotonicMs: Number.POSITIVE_INFINITY };
  let endsAtMs = Number.POSITIVE_INFINITY;
  let isEnding = false;
  let isLeaseOver = false;
  let afterwards = async (): Promise<void> => {};
  let word = '';

  const report = (message: SupervisorReport): void => {
    if (reports.writable) reports.write(`${JSON.stringify(message)}\n`);
  };

  const finish = async (): Promise<void> => {
    if (target !== null) {
      const isNone = await policy.waitForNone(target, () => performance.now() >= endsAtMs);
      const isGone = await policy.killAll(target, isNone ? 1 : 0);
      await afterwards();
      // A runtime removes what it knows, by way of the monitor; what is left it never knew.
      if (!isNone && word !== '') await policy.killAll({ ...target, word });
      if (!isGone) policy.killGroupWithLeader(process.pid);
    }
    await childGone;
    report({ event: 'gone', leaseOver: isLeaseOver });
    reports.end(() => process.exit(0));
    setTimeout(() => process.exit(0), TICK_MS);
  };

  const endWithin = (ms: number): void => {
    endsAtMs = Math.min(endsAtMs, performance.now() + ms);
    if (isEnding) return;
    isEnding = true;
    void finish();
  };

  const renew = (untilMs: number): void => {
    deadline = { wallMs: untilMs, monotonicMs: performance.now() + (untilMs - Date.now()) };
  };

  const leftOfLease = (): number => Math.min(deadline.wallMs - Date.now(), deadline.monotonicMs - performance.now());

  const watch = (): void => {
    const leftMs = leftOfLease();
    if (leftMs > 0) {
      setTimeout(watch, Math.min(leftMs, TICK_MS));
      return;
    }
    isLeaseOver = true;
    endWithin(0);
  };

  const obey = (command: SupervisorCommand): void => {
    switch (command.op) {
      case 'start': {
        renew(command.untilMs);
        // A busy machine may take longer to start this process than the lease has left: then
        // nothing is started at all.
        if (leftOfLease() > 0) {
          target = { leaderPid: process.pid, sparePid: process.pid, marker: command.marker };
          afterwards = () => runAfterwards(command);
          word = command.afterwards?.word ?? '';
          childGone = start(command, policy.MARKER_VARIABLE, report).then(() => endWithin(command.drainMs));
        }
        watch();
        return;
      }
      case 'renew':
        renew(command.untilMs);
        return;
      case 'end':
        if (target !== null) policy.askToEnd(target);
        endWithin(command.graceMs);
        return;
    }
  };

  // Nobody listens any more; the control pipe tells when the worker has gone.
  reports.on('error', () => {});
  readCommands(control, obey);
  for (const event of ['end', 'close', 'error']) control.on(event, () => endWithin(0));
}

/**
 * Starts the child on the pipes of this process, then lets go of them; settles when the child is
 * gone or could not be started.
 */
function start(
  command: StartCommand,
  markerVariable: string,
  report: (message: SupervisorReport) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      const isCwdMissing = error.code === 'ENOENT' && !existsSync(command.cwd);
      const message = isCwdMissing ? `the working directory ${command.cwd} does not exist` : error.message;
      report({ event: 'start_failed', code: error.code ?? 'UNKNOWN', message });
      resolve();
    };
    try {
      const child = spawnChild(command, markerVariable);
      child.once('error', fail);
      child.once('exit', (exitCode, signal) => {
        report({ event: 'exited', exitCode, signal });
        resolve();
      });
      if (child.pid !== undefined) report({ event: 'started', pid: child.pid });
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
    releaseStandardStreams();
  });
}

/**
 * In a group of its own, so that nobody who ends the group of the child ends it too; settles when
 * it is gone, or its time is over.
 */
function runAfterwards({ afterwards, cwd, env }: StartCommand): Promise<void> {
  if (afterwards === undefined) return Promise.resolve();
  const [file, ...args] = afterwards.argv;
  return new Promise((resolve) => {
    try {
      const child = spawn(file, args, { cwd, env, stdio: 'ignore', shell: false, detached: true });
      const late = setTimeout(() => child.kill('SIGKILL'), afterwards.timeoutMs);
      const over = (): void => {
        clearTimeout(late);
        resolve();
      };
      child.once('error', over);
      child.once('exit', over);
    } catch {
      resolve();
    }
  });
}

function spawnChild(command: StartCommand, markerVariable: string): ChildProcess {
  const [file, ...args] = command.argv;
  const env = { ...command.env, [markerVariable]: command.marker };
  return spawn(file, args, { cwd: command.cwd, env, stdio: [0, 1, 2], shell: false });
}

/**
 * The worker sees end of file only when nobody holds the pipes: a closed descriptor is given to the
 * next open, so each becomes /dev/null.
 */
function releaseStandardStreams(): void {
  for (const fd of [0, 1, 2]) {
    closeSync(fd);
    openSync('/dev/null', 'r+');
  }
}

function readCommands(control: Socket, obey: (command: SupervisorCommand) => void): void {
  let pending = '';
  control.setEncoding('utf8');
  control.on('data', (text: string) => {
    const lines = (pending + text).split('\n');
    pending = lines.pop() ?? '';
    // Only the worker that started this process holds the other end of the pipe.
    for (const line of lines) obey(JSON.parse(line) as SupervisorCommand);
  });
}

for (const signal of IGNORED) process.on(signal, () => {});
void loadPolicy().then((policy) => {
  const control = new Socket({ fd: CONTROL_FD, readable: true, writable: false });
  supervise(control, new Socket({ fd: REPORT_FD, readable: false, writable: true }), policy);
});
