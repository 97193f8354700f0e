// argv: {directory, env?, url?} as JSON. A server of a workspace in a process of its own; says
// `listening URL` on stdout. SIGTERM drains.
import { flushCompileCache } from 'node:module';
import { openServeScene } from './serve-scene.js';

// The parent of this process is the only writer of the argument.
const { directory, env, url, graceMs } = JSON.parse(process.argv[2] ?? '{}') as {
  directory: string;
  env?: Record<string, string>;
  url?: string;
  graceMs?: number;
};
const storage = url === undefined ? {} : { storage: { backend: 'postgres' as const, url, setting: 'a test' } };
const scene = await openServeScene(directory, { ...storage, ...(env === undefined ? {} : { env }) });
const address = await scene.server.listen({ port: 0, host: '127.0.0.1' });
async function drain(): Promise<void> {
  await scene.server.close();
  await scene.serve.drain(graceMs ?? 30_000);
  await scene.close();
  process.exit(0);
}
// What fails ends the process: nothing catches it.
process.on('SIGTERM', () => void drain());
// It may be killed: what it has compiled would be compiled by each that comes after it.
flushCompileCache();
process.stdout.write(`listening ${address}\n`);
