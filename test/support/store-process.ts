import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const HOOKS = new URL('./processes-typescript.mjs', import.meta.url).href;

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
export function startStoreProcess(script: string, ...args: readonly string[]): StoreProcess {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, ['--no-warnings', '--import', HOOKS, path, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
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
