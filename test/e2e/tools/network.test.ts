import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ASKING_SERVER, ASKS } from '../../support/asking-server.js';
import { playedRuntime } from '../../support/container-runtimes.js';
import type { ModelServer } from '../../support/model-server.js';
import { lastOf, makeWorld, type World } from '../world.js';
import { callOf, inputOf, startCallingModel, toolScene } from './tool-world.js';

const runtime = playedRuntime();
let world: World;
let model: ModelServer;
beforeAll(async () => {
  world = await makeWorld();
  model = await startCallingModel();
});
afterAll(async () => {
  await model.close();
  runtime.dispose();
  await world.dispose();
});

it('a sandboxed server is led to the hosts of its list by kit, and what it asks for besides is refused and logged', async () => {
  const command = '[node, /workspace/server.mjs, /workspace/ask.mjs, "1", "00"]';
  const servers = `  - { id: box, transport: stdio, command: ${command}, permission: open, sandboxed: true, sandbox_image: '${runtime.image}', sandbox_allow: [api.example.org] }\n`;
  const { dir } = toolScene(world, 'led', { servers, tools: [{ skill: 'reach', server: 'box', tool: 'reach' }] });
  world.files('led', { 'server.mjs': ASKING_SERVER, 'ask.mjs': readFileSync(ASKS, 'utf8') });

  const task = inputOf([callOf('reach', 'evil.example.org:443')]);
  const ended = await world.kit(['run', dir, 'talk', '--input', task, '--json'], {
    env: { ...runtime.env, MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' },
  });

  expect([ended.code, String(lastOf(ended).output)]).toEqual([0, expect.stringContaining('403')]);
  expect(ended.stderr).toContain('a tool server was refused a host');
}, 60_000);
