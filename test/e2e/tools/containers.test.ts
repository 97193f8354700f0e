import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ModelServer } from '../../support/model-server.js';
import { until } from '../../support/processes.js';
import { lastOf, makeWorld, type World } from '../world.js';
import { callOf, inputOf, startCallingModel, toolScene } from './tool-world.js';

/** Nothing is pulled for a test: the image has to be there. */
const IMAGES = ['node:24-slim', 'localhost/node:24'];

/** The first runtime that has one of the images. */
const found = ['docker', 'podman']
  .flatMap((runtime) => IMAGES.map((image) => ({ runtime, image })))
  .find(({ runtime, image }) => spawnSync(runtime, ['image', 'inspect', image]).status === 0);

if (found === undefined)
  process.stdout.write(
    `\nthe ends of real containers are NOT TESTED here: neither docker nor podman has ${IMAGES.join(' or ')}\n\n`,
  );

const { runtime, image } = found ?? { runtime: 'none', image: 'none' };

/** A server that ignores every signal and the end of its stdin, and hangs when it is told to. */
const STUBBORN = `
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGPIPE']) process.on(signal, () => {});
process.stdout.on('error', () => {});
setInterval(() => {}, 1000);
const say = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
let rest = '';
process.stdin.on('data', (bytes) => {
  const lines = (rest + bytes).split('\\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line);
    if (method === 'initialize')
      say(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
    if (method === 'tools/list') say(id, { tools: [{ name: 'look', inputSchema: { type: 'object' } }] });
    if (method === 'tools/call' && params.arguments.text !== 'hang')
      say(id, { content: [{ type: 'text', text: 'user ' + process.getuid() }] });
  }
});
`;

const GONE_WITHIN_MS = 5_000;

let world: World;
let model: ModelServer;
let dir: string;
beforeAll(async () => {
  if (found === undefined) return;
  [world, model] = await Promise.all([makeWorld(), startCallingModel()]);
  const server = `  - { id: box, transport: stdio, command: [node, /workspace/server.mjs], permission: open, sandboxed: true, sandbox_image: '${image}' }\n`;
  ({ dir } = toolScene(world, 'boxed', { servers: server, tools: [{ skill: 'look', server: 'box', tool: 'look' }] }));
  world.files('boxed', { 'server.mjs': STUBBORN });
}, 120_000);
afterAll(async () => {
  await model?.close();
  await world?.dispose();
});

const env = (): NodeJS.ProcessEnv => ({
  MODEL_URL: model.url,
  LOCAL_KEY: 'key-of-the-test',
  KIT_CONTAINER_RUNTIME: runtime,
});
const start = (text: string, ...flags: string[]) =>
  world.start(['run', dir, 'talk', '--input', inputOf([callOf('look', text)]), '--json', ...flags], {
    env: env(),
    stdin: '',
  });
const running = (): readonly string[] =>
  spawnSync(runtime, ['ps', '-a', '--filter', 'label=kit.owner', '--format', '{{.Names}}'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((name) => name.startsWith('kit-mcp-'));

/** Until no container is left; how long that took is printed, as a figure for whoever reads it. */
async function gone(what: string): Promise<void> {
  const fromMs = performance.now();
  await until('no container is left', () => running().length === 0, GONE_WITHIN_MS);
  process.stdout.write(`after ${what} the container was gone within ${Math.round(performance.now() - fromMs)} ms\n`);
}

describe.skipIf(found === undefined)(
  'a program in a container that ignores every signal and the end of its stdin',
  () => {
    it('answers, as nobody, and is gone when the run has ended', async () => {
      const result = await start('one').ended;

      expect(lastOf(result)).toMatchObject({ status: 'completed', output: expect.stringContaining('user 65534') });
      expect(running()).toEqual([]);
    }, 60_000);

    it('is gone after a kill -9 of kit', async () => {
      const live = start('hang');
      await until('the container runs', () => running().length === 1, 30_000);
      live.child.kill('SIGKILL');

      await gone('kill -9');
    }, 60_000);

    it('is gone after a second Ctrl-C', async () => {
      const live = start('hang');
      await until('the container runs', () => running().length === 1, 30_000);
      await until('the tool is called', () => live.stdout().includes('"tool_calls":1'), 30_000);
      live.child.kill('SIGINT');
      await live.sees(/press Ctrl-C again/);
      live.child.kill('SIGINT');

      expect((await live.ended).code).toBe(130);
      expect(running()).toEqual([]);
    }, 60_000);

    it('is gone when the time of the run is over', async () => {
      const result = await start('hang', '--timeout', '4s').ended;

      expect(lastOf(result)).toMatchObject({ status: 'failed', reason: 'timeout' });
      expect(running()).toEqual([]);
    }, 60_000);

    it('is gone before another one starts, where its supervisor died with kit', async () => {
      const live = start('hang');
      await until('the container runs', () => running().length === 1, 30_000);
      const [left] = running();
      const supervisors = childrenOf(live.child.pid ?? -1);
      for (const pid of supervisors) process.kill(pid, 'SIGKILL');
      live.child.kill('SIGKILL');
      await live.ended;

      const result = await start('one').ended;

      expect(lastOf(result)).toMatchObject({ status: 'completed' });
      expect(left).toBeDefined();
      expect(running()).toEqual([]);
    }, 60_000);
  },
);

const childrenOf = (pid: number): readonly number[] =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .map(Number)
    .filter(Boolean);
