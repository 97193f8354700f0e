/** What of a process hears signals, and stops and continues it. */
export type ProcessEvents = Pick<NodeJS.Process, 'on' | 'off' | 'once' | 'emit' | 'kill' | 'platform'>;

/**
 * Streams, signals and end of the process in which a command runs: the one that kit was started in,
 * or what a caller of `main` puts in its place. Commands use this and never the globals.
 */
export interface ProcessIo {
  /** Opened when it is first asked for. */
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly events: ProcessEvents;
  /** Ends the process at once. */
  readonly exit: (code: number) => void;
  /** What the process ends with, as far as it is known; undefined = 0. The last word counts. */
  exitCode: number | string | null | undefined;
}

/** What kit asks of a process before a command runs. */
export interface ProcessWorld extends ProcessIo {
  readonly env: NodeJS.ProcessEnv;
  /** Absolute; what the command line and the environment name by a relative path lies below it. */
  readonly cwd: string;
  /** `input`: a file, a pipe or a socket, which may hold what a run is given. */
  readonly stdinKind: 'terminal' | 'input' | 'none';
  readonly stdoutGuard: StdoutGuard;
  /** Absent where the process is somebody else's: then nothing of it is changed. */
  readonly own?: NodeJS.Process;
}

/** What happens when nobody reads stdout any more. */
export interface StdoutGuard {
  /** Aborts when a write found the reading end closed. */
  readonly closed: AbortSignal;
  /** From now on a closed stdout does not end the process. */
  goOnWithout(): void;
}
