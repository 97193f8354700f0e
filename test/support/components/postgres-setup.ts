import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * Port that tells the URL of the PostgreSQL of this test run, and starts it when it is first
     * asked.
     */
    readonly postgresPort: number;
  }
}

const PROGRAM = fileURLToPath(new URL('./postgres.mjs', import.meta.url));

/**
 * One PostgreSQL for a whole test run, started when the first test wants it and stopped at the end,
 * however the run ends.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let child: ChildProcess | null = null;
  let url: Promise<string> | null = null;
  const start = async (): Promise<string> => {
    child = spawn(process.execPath, [PROGRAM, '--with-parent'], { stdio: ['pipe', 'pipe', 'inherit'] });
    if (child.stdout === null) throw new Error('the output of the server is not piped');
    for await (const line of createInterface({ input: child.stdout })) return line;
    throw new Error('PostgreSQL did not start');
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    url ??= start();
    url.then(
      (text) => socket.end(text),
      (error: unknown) => socket.destroy(error instanceof Error ? error : undefined),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Listening on a port gives an address with one.
  project.provide('postgresPort', (server.address() as AddressInfo).port);
  return async () => {
    server.close();
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.stdin?.end();
    await ended;
  };
}
