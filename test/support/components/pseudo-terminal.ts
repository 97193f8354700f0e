import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import headless from '@xterm/headless';
import { projectRoot } from '../kit-process.js';

/**
 * A program on a real pseudo-terminal, and a terminal emulator that reads what it writes: a test
 * sees what a person would see. A person starts the same with: `node bin/kit.js run <workspace>
 * <topology> --input hi` in any terminal.
 */
export interface PseudoTerminal {
  readonly pid: number;
  /** Rows of the screen, without the blanks at their ends. */
  screen(): readonly string[];
  /** Everything from the top of the scrollback to the end of the screen. */
  all(): readonly string[];
  /** The bytes as they came. */
  raw(): string;
  /** Whether the cursor shows. */
  isCursorShown(): boolean;
  /** Row of the screen and column, from 0. */
  cursor(): { readonly row: number; readonly column: number };
  type(text: string): void;
  /**
   * Changes the size right after a frame, while the program stands still: what it is writing for
   * the old size, and what the terminal has not read yet, would come out broken in every terminal,
   * and no program can help that.
   */
  resize(columns: number, rows: number): Promise<void>;
  /** Changes the size under a program that draws only when something happens. */
  resizeStill(columns: number, rows: number): Promise<void>;
  /**
   * Resolves with what is on the screen when it matches. Rejects after the deadline, or when the
   * program ends without it.
   */
  sees(pattern: RegExp, deadlineMs?: number): Promise<string>;
  /** Resolves when `isSo` holds of the screen. */
  until(isSo: (screen: readonly string[]) => boolean, deadlineMs?: number): Promise<void>;
  /** The exit code once the program has ended and everything it wrote is on the screen. */
  readonly ended: Promise<number>;
  /** Hangs up: the terminal goes away while the program runs. */
  hangUp(): void;
  /** Kills the program if it runs. */
  dispose(): Promise<void>;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

const DEADLINE_MS = 20_000;
const POLL_MS = 20;
/** End of a synchronized update: what comes next is another frame. */
const FRAME_END = '\u001b[?2026l';
/** No byte for so long: everything that a program wrote before it was stopped has been read. */
const QUIET_MS = 40;
/**
 * Longer than two frames of one change are apart, shorter than two ticks of a run in which nothing
 * happens.
 */
const ALONE_MS = 110;

/** kit itself on a pseudo-terminal. */
export const kitInTerminal = (argv: readonly string[], options: TerminalOptions): PseudoTerminal =>
  openTerminal(process.execPath, [join(projectRoot, 'bin/kit.js'), ...argv], options);

/**
 * A line of `sh`, in which `$KIT` is kit: for redirections, and for what stands in the terminal
 * afterwards.
 */
export const shellInTerminal = (line: string, options: TerminalOptions): PseudoTerminal =>
  openTerminal('/bin/sh', ['-c', line], {
    ...options,
    env: { ...options.env, KIT: `${process.execPath} ${join(projectRoot, 'bin/kit.js')}` },
  });

export function openTerminal(file: string, args: readonly string[], options: TerminalOptions): PseudoTerminal {
  const { columns = 80, rows = 24, cwd, env } = options;
  const emulator = new headless.Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  const pty: IPty = spawn(file, [...args], { name: env.TERM ?? 'xterm-256color', cols: columns, rows, cwd, env });
  let raw = '';
  let code: number | null = null;
  pty.onData((data) => {
    raw += data;
    emulator.write(data);
  });
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      // An empty write comes back when everything before it has been taken in.
      emulator.write('', () => {
        code = signal === undefined || signal === 0 ? exitCode : 128 + signal;
        resolve(code);
      });
    });
  });
  const buffer = () => emulator.buffer.active;
  const line = (index: number): string => buffer().getLine(index)?.translateToString(true) ?? '';
  const linesFrom = (start: number): readonly string[] =>
    Array.from({ length: buffer().length - start }, (_, index) => line(start + index));
  const screen = (): readonly string[] => linesFrom(buffer().baseY).slice(0, emulator.rows);
  const until: PseudoTerminal['until'] = async (isSo, deadlineMs = DEADLINE_MS) => {
    const deadline = performance.now() + deadlineMs;
    while (!isSo(screen())) {
      if (performance.now() > deadline || code !== null) {
        throw new Error(
          `${code === null ? 'the deadline passed' : `the program ended with ${code}`}; the terminal shows:\n${linesFrom(0).join('\n').trimEnd()}`,
        );
      }
      await pause(POLL_MS);
    }
  };
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const quiet = async (ms: number): Promise<void> => {
    for (let seen = -1; seen !== raw.length; await pause(ms)) seen = raw.length;
  };
  return {
    pid: pty.pid,
    screen,
    all: () => linesFrom(0),
    raw: () => raw,
    isCursorShown: () => raw.lastIndexOf('\u001b[?25h') >= raw.lastIndexOf('\u001b[?25l'),
    cursor: () => ({ row: buffer().cursorY, column: buffer().cursorX }),
    type: (text) => pty.write(text),
    resize: async (toColumns, toRows) => {
      // A frame that comes alone: the next one is not due for a while.
      await quiet(ALONE_MS);
      const seen = raw.length;
      const deadline = performance.now() + DEADLINE_MS;
      while (!(raw.length > seen && raw.endsWith(FRAME_END)) && performance.now() < deadline) await pause(1);
      process.kill(pty.pid, 'SIGSTOP');
      await quiet(QUIET_MS);
      await new Promise<void>((resolve) => emulator.write('', resolve));
      emulator.resize(toColumns, toRows);
      pty.resize(toColumns, toRows);
      process.kill(pty.pid, 'SIGCONT');
    },
    resizeStill: async (toColumns, toRows) => {
      await quiet(QUIET_MS);
      await new Promise<void>((resolve) => emulator.write('', resolve));
      emulator.resize(toColumns, toRows);
      pty.resize(toColumns, toRows);
    },
    sees: async (pattern, deadlineMs) => {
      await until((shown) => pattern.test(shown.join('\n')), deadlineMs);
      return screen().join('\n');
    },
    until,
    ended,
    // Closes the end that the emulator holds, as a window does; node-pty then sends the hangup
    // itself. Its types lack it.
    hangUp: () => (pty as IPty & { destroy(): void }).destroy(),
    dispose: async () => {
      if (code === null) {
        pty.kill('SIGKILL');
        await ended;
      }
      emulator.dispose();
    },
  };
}
