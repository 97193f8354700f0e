import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { CommandEnd } from './records.js';
import { plain } from './summary.js';

/** Characters of one output line that are looked at; the rest of a longer line is dropped. */
const MAX_LINE_CHARS = 4000;
const TAIL_LINES = 40;
/** A grandchild may hold the pipes after the command has ended; nobody waits longer for it. */
const DRAIN_MS = 1000;

export type Ran =
  | { readonly ok: true; readonly end: CommandEnd }
  | { readonly ok: false; readonly reason: string; readonly message: string };

export interface CommandRun {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly onLine: (line: string) => void;
}

/**
 * Calls `onLine` per line, without terminal escapes; a line without an end is passed on when the
 * stream closes.
 */
function readLines(stream: Readable, onLine: (line: string) => void): Promise<void> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const pass = (line: string): void => onLine(plain(line.replace(/\r$/, '')));
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = (lines.pop() ?? '').slice(0, MAX_LINE_CHARS);
    for (const line of lines) pass(line.slice(0, MAX_LINE_CHARS));
  });
  return new Promise((resolve) => {
    stream.on('close', () => {
      if (rest !== '') pass(rest);
      resolve();
    });
  });
}

function describe(error: NodeJS.ErrnoException, program: string): Ran {
  if (error.code === 'ENOENT')
    return { ok: false, reason: 'command_not_found', message: `there is no program "${program}"` };
  return { ok: false, reason: 'command_not_started', message: `"${program}" could not be started: ${error.message}` };
}

/** Runs the command in this process's own group, so that whoever ends the group ends it too. */
export async function runCommand(run: CommandRun): Promise<Ran> {
  const [program = '', ...args] = run.argv;
  const startedMs = performance.now();
  const tail: string[] = [];
  let lineCount = 0;
  const take = (line: string): void => {
    lineCount += 1;
    tail.push(line);
    if (tail.length > TAIL_LINES) tail.shift();
    run.onLine(line);
  };
  const child = spawn(program, args, { cwd: run.cwd, env: run.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const streams = Promise.all([readLines(child.stdout, take), readLines(child.stderr, take)]);
  const exit = await new Promise<Ran | { readonly code: number | null; readonly signal: string | null }>((resolve) => {
    child.on('error', (error) => resolve(describe(error, program)));
    child.on('exit', (code, signal) => resolve({ code, signal }));
  });
  if ('ok' in exit) return exit;
  const durationMs = performance.now() - startedMs;
  const drained = setTimeout(() => [child.stdout, child.stderr].forEach((stream) => void stream.destroy()), DRAIN_MS);
  await streams;
  clearTimeout(drained);
  if (exit.code === null)
    return { ok: false, reason: 'command_signal', message: `the command was ended by ${exit.signal}` };
  return { ok: true, end: { exitCode: exit.code, durationMs, lineCount, tail } };
}
