import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  HurriedAbort,
  type LeaseSignal,
  type Processes,
  type ProcessResult,
  type ProcessSpec,
  type SupervisedProcess,
} from '../../domain/ports/system.js';
import { DRAIN_MS, type KillTarget, killAll, TERM_GRACE_MS } from './kill-policy.js';
import { createOutputLines } from './output-lines.js';
import type { SupervisorReport } from './protocol.js';
import { createStderrTail } from './stderr-tail.js';
import { startStopwatch } from './stopwatch.js';
import { type SupervisorLink, startSupervisor } from './supervisor-link.js';

/**
 * A supervisor that does not end its group this long after the grace is itself stopped or stuck:
 * the worker does its work.
 */
const OVERDUE_MS = 3_000;
const RETRY_MS = 1_000;
/** A person waits at the terminal; long enough for a program to remove its temporary files. */
const HURRIED_GRACE_MS = 1_000;

export interface ProcessesOptions {
  /** Node binary for supervisors; default the one that runs this process. */
  readonly nodePath?: string;
  /** Between TERM and KILL; default 10 000. */
  readonly graceMs?: number;
  /** For others of the group when the child has exited; default 2 000. */
  readonly drainMs?: number;
}

/** Processes under supervisors: none outlives the lease it was started under. POSIX only. */
export function createProcesses(options: ProcessesOptions = {}): Processes {
  const settings = { nodePath: process.execPath, graceMs: TERM_GRACE_MS, drainMs: DRAIN_MS, ...options };
  const spawn: Processes['spawn'] = (spec, lease, signal) => {
    if (signal.aborted || lease.until() <= Date.now()) return neverStarted();
    try {
      return spawnSupervised({ spec, lease, signal, settings });
    } catch (error) {
      // Out of descriptors: a fault of the machine, told like any other that keeps a program from
      // starting.
      return notStartable(error);
    }
  };
  return { spawn };
}

interface SpawnRequest {
  readonly spec: ProcessSpec;
  readonly lease: LeaseSignal;
  readonly signal: AbortSignal;
  readonly settings: Required<ProcessesOptions>;
}

/** What is known of one process while it runs. */
interface RunState {
  ended: ProcessResult['ended'];
  exit: { readonly exitCode: number | null; readonly signal: string | null } | null;
  failure: { readonly code: string; readonly message: string } | null;
  isGone: boolean;
}

function spawnSupervised(request: SpawnRequest): SupervisedProcess {
  const { spec, lease, signal, settings } = request;
  const startedAtMs = performance.now();
  const marker = randomUUID();
  const state: RunState = { ended: null, exit: null, failure: null, isGone: false };
  const link = startSupervisor(settings.nodePath, (report) => take(report, state));
  const target: KillTarget = { leaderPid: link.pid ?? -1, marker, sparePid: process.pid };
  let overdue: NodeJS.Timeout | undefined;

  const end = (reason: NonNullable<ProcessResult['ended']>, graceMs = settings.graceMs): void => {
    // A child that had ended by itself keeps its own result, whatever comes while its group drains.
    if (state.exit === null || reason === 'line_too_long' || reason === 'output_too_large') state.ended ??= reason;
    link.send({ op: 'end', graceMs });
    const overdueMs = graceMs + (spec.afterwards?.timeoutMs ?? 0) + OVERDUE_MS;
    overdue ??= setTimeout(() => void killUntilNone(target), overdueMs);
  };
  const output = createOutputLines({
    stream: link.stdout,
    maxLineBytes: spec.maxLineBytes,
    maxOutputBytes: spec.maxOutputBytes,
    onActivity: () => stopwatch.touch(),
    onFault: end,
  });
  const stopwatch = startStopwatch({ ...spec, isHeldBack: output.isHeldBack, onExpiry: end });
  const stderr = createStderrTail(link.stderr, spec.stderrTailBytes, (bytes) => {
    stopwatch.touch();
    output.alsoWrote(bytes);
  });
  const onAbort = (): void =>
    end('aborted', signal.reason instanceof HurriedAbort ? Math.min(HURRIED_GRACE_MS, settings.graceMs) : undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  const stopRenewing = lease.onRenew((untilMs) => link.send({ op: 'renew', untilMs: finite(untilMs) }));

  link.send({
    op: 'start',
    argv: spec.argv,
    cwd: spec.cwd,
    env: spec.env,
    marker,
    untilMs: finite(lease.until()),
    drainMs: settings.drainMs,
    ...(spec.afterwards === undefined ? {} : { afterwards: spec.afterwards }),
  });
  feed(link, spec);

  const settle = async (): Promise<ProcessResult> => {
    try {
      await link.closed;
      if (!state.isGone) {
        await killUntilNone(target);
        // A supervisor that could not say why it ended: what came after the lease says nothing
        // about the process.
        if (lease.until() <= Date.now()) state.ended ??= 'aborted';
      }
      const [stderrTail] = await Promise.all([stderr.finish(), output.finish()]);
      if (state.failure !== null) throw startError(spec, state.failure);
      const exit = state.exit ?? { exitCode: null, signal: 'SIGKILL' };
      return { ...exit, ended: state.ended, stderrTail, durationMs: Math.round(performance.now() - startedAtMs) };
    } finally {
      clearTimeout(overdue);
      stopwatch.stop();
      stopRenewing();
      signal.removeEventListener('abort', onAbort);
    }
  };
  const done = settle();
  // A caller that reads the lines first must not be ended by an unhandled rejection.
  done.catch(() => {});
  return { lines: output.lines, done };
}

function take(report: SupervisorReport, state: RunState): void {
  switch (report.event) {
    case 'started':
      return;
    case 'start_failed':
      state.failure = report;
      return;
    case 'exited':
      state.exit = { exitCode: report.exitCode, signal: report.signal };
      return;
    case 'gone':
      state.isGone = true;
      if (report.leaseOver) state.ended ??= 'aborted';
      return;
  }
}

/** A child may close its stdin unread: that is its right, not a fault. */
function feed(link: SupervisorLink, { stdin, stdinParts }: ProcessSpec): void {
  link.stdin.on('error', () => {});
  if (stdinParts === undefined) {
    link.stdin.end(stdin);
    return;
  }
  link.stdin.write(stdin);
  pipeline(Readable.from(stdinParts), link.stdin).catch(() => {});
}

/**
 * No end before the last process is gone: a run must not be written as finished while something of
 * it executes.
 */
async function killUntilNone(target: KillTarget): Promise<void> {
  while (!(await killAll(target))) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
}

function startError(spec: ProcessSpec, failure: { readonly code: string; readonly message: string }): Error {
  return new Error(`cannot start ${spec.argv[0]}: ${failure.message}`, { cause: { code: failure.code } });
}

function neverStarted(): SupervisedProcess {
  const done = Promise.resolve<ProcessResult>({
    exitCode: null,
    signal: null,
    ended: 'aborted',
    stderrTail: '',
    durationMs: 0,
  });
  return { lines: (async function* () {})(), done };
}

function notStartable(cause: unknown): SupervisedProcess {
  const done = Promise.reject<ProcessResult>(new Error('cannot start a supervisor', { cause }));
  done.catch(() => {});
  return { lines: (async function* () {})(), done };
}

/** JSON has no infinity. */
function finite(untilMs: number): number {
  return Math.min(untilMs, Number.MAX_SAFE_INTEGER);
}
