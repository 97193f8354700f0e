import type { AskVersion } from '../domain/ports/programs.js';
import type { Clock } from '../domain/ports/system.js';
import { runProgram } from './run-program.js';

export interface ProgramVersionDeps {
  readonly clock: Pick<Clock, 'now'>;
  /**
   * What the program is started with: the allowlisted environment of child processes, without
   * secrets.
   */
  readonly env: Readonly<Record<string, string>>;
}

const ANSWER_MS = 4_000;
const MAX_BYTES = 64 * 1024;
const SHOWN_CHARS = 500;
/** A program that is replaced under a server is noticed after this long. */
const KEEP_MS = 60_000;

/** Asks programs for their version; an answer is kept for a minute, silence is not kept. */
export function createAskVersion({ clock, env }: ProgramVersionDeps): AskVersion {
  const known = new Map<string, { readonly at: number; readonly said: Promise<string | null> }>();
  return async (binary) => {
    const before = known.get(binary);
    if (before !== undefined && clock.now() - before.at < KEEP_MS) return before.said;
    const said = ask(binary, env);
    known.set(binary, { at: clock.now(), said });
    if ((await said) === null) known.delete(binary);
    return said;
  };
}

/** A program that waits for input is not answered. */
async function ask(binary: string, env: Readonly<Record<string, string>>): Promise<string | null> {
  const { code, stdout, stderr } = await runProgram([binary, '--version'], {
    env,
    timeoutMs: ANSWER_MS,
    killSignal: 'SIGKILL',
    maxBytes: MAX_BYTES,
  });
  const said = (stdout.trim() === '' ? stderr : stdout).trim().slice(0, SHOWN_CHARS);
  return code === 0 && said !== '' ? said : null;
}
