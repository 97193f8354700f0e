/** Wall clock and timers. Nothing outside `system/` reads the real ones. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds since some moment, for what is counted: the wall clock may be set, this one is
   * not, and it may stand still while the machine sleeps. Absent: nobody sets `now`.
   */
  elapsed?(): number;
  /** Resolves after `ms`, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Tells once after `ms`, unless what is returned is called before. Absent, as where `sleep` is
   * another clock's: whoever waits sleeps.
   */
  later?(ms: number, callback: () => void): () => void;
}

/** Milliseconds since some moment: see `Clock.elapsed`. */
export const elapsedMs = (clock: Pick<Clock, 'now' | 'elapsed'>): number => clock.elapsed?.() ?? clock.now();

/**
 * Milliseconds since this was called, for what is waited for and looked at again and again: a wall
 * clock that is set back stops it no more than a machine that sleeps does. It never goes back.
 */
export function onwardTime(clock: Pick<Clock, 'now' | 'elapsed'>): () => number {
  const countedFromMs = elapsedMs(clock);
  let [wallMs, byWallMs, onMs] = [clock.now(), 0, 0];
  return () => {
    const wallNow = clock.now();
    byWallMs += Math.max(0, wallNow - wallMs);
    wallMs = wallNow;
    onMs = Math.max(onMs, byWallMs, elapsedMs(clock) - countedFromMs);
    return onMs;
  };
}

/** Where fresh ids come from; steps derive theirs and never ask for one. */
export interface Ids {
  /** 12 lower-case hex characters from a CSPRNG. */
  jobId(): string;
  /** `<host>:<pid>:<random>`. */
  workerId(): string;
  /** Version 4 UUID, for events that no step causes. */
  uuid(): string;
}

/** Structured log line for operators; never a secret, never part of a result. */
export interface Log {
  debug(message: string, data?: Readonly<Record<string, unknown>>): void;
  info(message: string, data?: Readonly<Record<string, unknown>>): void;
  warn(message: string, data?: Readonly<Record<string, unknown>>): void;
  error(message: string, data?: Readonly<Record<string, unknown>>): void;
}

/**
 * Reason of the abort of one call by its own time limit. Any other reason but `CutOff` means that
 * the run, or the process, ends.
 */
export class CallTimeout extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * Reason of the abort of what a limit around several calls cut off: the time of a skill, or the
 * working time of an agent. The run goes on.
 */
export class CutOff extends Error {
  override readonly name = 'TimeoutError';
}

/** What removes things that live beyond a process. */
export interface Afterwards {
  readonly argv: readonly [string, ...string[]];
  readonly timeoutMs: number;
  /**
   * A word of this launch alone that stands on the command line of whoever holds the thing, as the
   * name of a container on that of its monitor. Who still has it after the removal is killed: a
   * client that is killed while it starts a container has not told its runtime yet that it runs,
   * and what the runtime does not know it cannot remove.
   */
  readonly word?: string;
}

/**
 * How a supervised process is started. `argv` never holds a secret; `env` is the whole environment
 * of the child, but for `KIT_PROCESS_ID`, by which the supervisor finds descendants that left the
 * process group.
 */
export interface ProcessSpec {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Written to stdin, then closed; '' closes stdin at once. */
  readonly stdin: string;
  /**
   * For a conversation: written after `stdin`, each part as it comes; stdin is closed when this
   * ends, and it is let go when the child is gone.
   */
  readonly stdinParts?: AsyncIterable<string>;
  /** Longest stdout line; a longer one ends the process with `line_too_long`. */
  readonly maxLineBytes: number;
  /** Bytes of stderr kept from the end. */
  readonly stderrTailBytes: number;
  /**
   * Ends the process (TERM, grace, KILL) when nothing arrives on stdout or stderr for this long;
   * null = never.
   */
  readonly idleTimeoutMs: number | null;
  /** Ends the process after this long; null = never. */
  readonly timeoutMs: number | null;
  /**
   * Total bytes of stdout and stderr that are accepted; beyond it the process is ended with
   * `output_too_large`. null = unbounded.
   */
  readonly maxOutputBytes: number | null;
  /**
   * Run by the supervisor once the group is gone, whatever ended it, the death of kit too: it
   * removes what lives beyond the processes, like a container, which belongs to its runtime. Same
   * directory and environment, no output; ended after `timeoutMs`. `done` settles after it.
   */
  readonly afterwards?: Afterwards;
  /**
   * Key of the step that this process answers by itself; absent for one process of a longer
   * session. Told to recorders alone.
   */
  readonly stepKey?: string;
}

/**
 * How a supervised process ended. `exitCode` is null when a signal ended it, `signal` when it
 * exited.
 */
export interface ProcessResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why kit ended it; null when it ended by itself. The end of the lease is `aborted`. */
  readonly ended: 'timeout' | 'idle' | 'aborted' | 'line_too_long' | 'output_too_large' | null;
  readonly stderrTail: string;
  readonly durationMs: number;
}

/**
 * A child that cannot outlive the lease it was started under (docs/design/journal.md#supervisor).
 */
export interface SupervisedProcess {
  /**
   * Decoded stdout lines without their newline (UTF-8, split sequences joined); ends at EOF.
   * Pulled: while nobody takes lines the child blocks, so read them, or leave the loop early, which
   * drops the rest. One reader.
   */
  readonly lines: AsyncIterable<string>;
  /**
   * Settles when the whole process group is gone, and every descendant that left it (Linux: by
   * marker; elsewhere by parent).
   */
  readonly done: Promise<ProcessResult>;
}

/**
 * Reason of an abort by a person who will not wait (second Ctrl-C, docs/design/journal.md#stop):
 * processes get 1 s instead of 10 between TERM and KILL.
 */
export class HurriedAbort extends Error {
  override readonly name = 'AbortError';
}

/**
 * The one way to start a process: a child never outlives the lease of its run
 * (docs/design/journal.md#supervisor).
 */
export interface Processes {
  /**
   * Starts argv (no shell) under a supervisor that leads its process group. Abort = TERM to the
   * group, 10 s, KILL; 1 s when the reason of the abort is a HurriedAbort. Throws KIT_USAGE-free
   * spawn errors as a rejected `done` with code ENOENT in `cause`.
   */
  spawn(spec: ProcessSpec, lease: LeaseSignal, signal: AbortSignal): SupervisedProcess;
}

/** What the worker tells the supervisors of a run: renewed only after a successful heartbeat. */
export interface LeaseSignal {
  /** Milliseconds since the epoch at which every process of the run must be gone. */
  until(): number;
  onRenew(listener: (untilMs: number) => void): () => void;
}

/** Reading the workspace and its files. */
export interface Files {
  readText(path: string): Promise<string | null>;
  readBytes(path: string): Promise<Uint8Array | null>;
  /**
   * Bytes of a file without reading it; null when it does not exist. Optional: without it a bound
   * holds only after reading.
   */
  sizeBytes?(path: string): Promise<number | null>;
  /**
   * A text that is another one once the file may have changed (what the file system says of its
   * place, size and times), and when it last did, ms since the epoch; null when it does not exist.
   * Optional: without it a file is read again each time.
   */
  stamp?(path: string): Promise<{ readonly text: string; readonly changedAtMs: number } | null>;
  /** Resolves symlinks; null when the path does not exist. */
  realPath(path: string): Promise<string | null>;
  /** null when there is no such directory. */
  list(directory: string): Promise<readonly ListedEntry[] | null>;
}

/** What a directory holds; of a link, what it points at. */
export interface ListedEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'other';
  /** It is known not to be a link: below a real path its own path is real. Absent: nobody knows. */
  readonly isReal?: true;
}

/** Making files where there are none. Nothing is ever replaced. */
export interface NewFiles {
  /**
   * Writes a file that does not exist, and its directories; false when one of that name is there.
   * Throws KIT_USAGE: unusable place.
   */
  create(path: string, content: string | Uint8Array): Promise<boolean>;
}

/**
 * Changing files that are there, each in one step: a reader, or a process that dies on the way,
 * finds the old file or the new one.
 */
export interface FileEdits {
  /**
   * Writes the whole text under `path`, whether a file is there or not, and its directory;
   * permissions of an old file stay.
   */
  replace(path: string, text: string): Promise<void>;
  /** Removes a file; one that is not there is not an error. */
  remove(path: string): Promise<void>;
}
