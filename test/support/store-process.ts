import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { compileCache, foldedProgram } from './folded-program.mjs';

export interface StoreProcess {
  readonly child: ChildProcess;
  /** Each line of stdout, parsed. */
  next<T>(): Promise<T>;
  /** All lines to the end, and how it ended. */
  rest<T>(): Promise<{
    readonly lines: readonly T[];
    readonly signal: NodeJS.Signals | null;
    readonly code: number | null;
    readonly stderr: string;
  }>;
}

/** A process of its own with a store open; `script` is a file of test/support. */
export async function startStoreProcess(script: string, ...args: readonly string[]): Promise<StoreProcess> {
  const program = await foldedProgram(`test/support/${script}`);
  const child = spawn(process.execPath, ['--no-warnings', program, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...compileCache() },
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    async next<T>() {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the process ended early: ${stderr}`);
      return JSON.parse(value) as T;
    },
    async rest<T>() {
      const found: T[] = [];
      for (let line = await lines.next(); line.done !== true; line = await lines.next())
        found.push(JSON.parse(line.value) as T);
      const [code, signal] = await ended;
      return { lines: found, code, signal, stderr };
    },
  };
}
