import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { compileCache } from '../folded-program.mjs';
import { as } from './serve-group.js';

const HOOKS = fileURLToPath(new URL('../processes-typescript.mjs', import.meta.url));
const PROGRAM = fileURLToPath(new URL('serve-scene-process.ts', import.meta.url));

export interface LiveServer {
  readonly url: string;
  readonly process: ChildProcess;
  submit(topology: string, body: object): Promise<Record<string, unknown>>;
  job(id: string): Promise<Record<string, unknown>>;
  act(path: string): Promise<Response>;
  until(id: string, status: string): Promise<Record<string, unknown>>;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface LiveServerOptions {
  readonly directory: string;
  readonly env?: Readonly<Record<string, string>>;
  /** PostgreSQL in place of SQLite. */
  readonly url?: string;
  readonly graceMs?: number;
}

/** A server in a process of its own, so that it can be killed. */
export async function startServer(options: LiveServerOptions): Promise<LiveServer> {
  const child = spawn(process.execPath, ['--import', HOOKS, PROGRAM, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...compileCache() },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'close');
  const url = await Promise.race([
    (async () => {
      for await (const line of createInterface({ input: child.stdout }))
        if (line.startsWith('listening ')) return line.slice('listening '.length);
      return null;
    })(),
    ended.then(() => null),
  ]);
  if (url === null) throw new Error(`the server did not start:\n${said}`);
  const job = async (id: string) =>
    (await (await fetch(`${url}/jobs/${id}`, { headers: as('read') })).json()) as Record<string, unknown>;
  return {
    url,
    process: child,
    job,
    submit: async (topology, body) => {
      const answer = await fetch(`${url}/run/${topology}`, {
        method: 'POST',
        headers: { ...as('run'), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await answer.json()) as Record<string, unknown>;
    },
    act: (path) => fetch(`${url}${path}`, { method: 'POST', headers: as('run') }),
    until: async (id, status) => {
      await expect.poll(async () => (await job(id)).status, { interval: 50 }).toBe(status);
      return job(id);
    },
    end: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}
