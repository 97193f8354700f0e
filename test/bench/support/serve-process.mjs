// argv: a directory. The server of the bench, and a bare Fastify that returns the bytes of one job
// through the same response schema, in one process. Answers one line of JSON on stdout; then, for
// each line on stdin, one line: what it costs now.
import { createInterface } from 'node:readline';
import Fastify from 'fastify';
import '../../support/processes-typescript.mjs';

const { openServeScene } = await import('../../support/http/serve-scene.ts');
const { JOB } = await import('../../../src/view/schemas/job.ts');

const scene = await openServeScene(process.argv[2], { env: { KIT_MOCK_LATENCY_MS: '0' } });
const bare = Fastify();
let job = {};
bare.get('/jobs/:id', { schema: { response: { 200: JOB } } }, async () => job);
const [kitUrl, bareUrl] = [
  await scene.server.listen({ port: 0, host: '127.0.0.1' }),
  await bare.listen({ port: 0, host: '127.0.0.1' }),
];
console.log(JSON.stringify({ kitUrl, bareUrl }));

for await (const line of createInterface({ input: process.stdin })) {
  const { returns } = JSON.parse(line);
  if (returns !== undefined) job = returns;
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ rssBytes: process.memoryUsage.rss(), cpuMs: (user + system) / 1000 }));
}
await scene.stop();
await bare.close();
