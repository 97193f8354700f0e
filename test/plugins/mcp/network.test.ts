import { chmodSync, copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contribution as harness } from '../../../plugins/harness/src/executor.js';
import type { HostAnswer } from '../../../src/domain/ports/container-way.js';
import { createTestContext } from '../../../src/sdk/testing.js';
import { ASKING_SERVER, ASKS } from '../../support/asking-server.js';
import { playedRuntime, realRuntime, type TestRuntime } from '../../support/container-runtimes.js';
import { echoOverTls, KEY, type Listening } from '../harness/egress/tls-peers.js';
import { call, mcpWorld, privateDirectory, textOf } from './world.js';

const real = realRuntime('the hosts of a tool server in a container');
const runtimes: readonly TestRuntime[] = [playedRuntime(), ...(real === null ? [] : [real])];

let upstream: Listening;
beforeAll(async () => {
  upstream = await echoOverTls();
});
afterAll(() => {
  for (const runtime of runtimes) runtime.dispose();
  upstream.server.close();
});

describe.each(runtimes.map((runtime) => [runtime.kind, runtime] as const))(
  'a tool server in a container that reaches hosts (%s)',
  (kind, runtime) => {
    it('reaches those of its list through the proxy of harnesses, no other one, and leaves nothing', async () => {
      const root = privateDirectory();
      // A server works as nobody where kit is root.
      chmodSync(root, 0o755);
      copyFileSync(ASKS, join(root, 'ask.mjs'));
      writeFileSync(join(root, 'server.mjs'), ASKING_SERVER);
      const answers: HostAnswer[] = [];
      const executor = await harness.create({}, createTestContext());
      const good = `api.example.org:${upstream.port}`;
      const before = readdirSync(tmpdir()).filter((name) => name.startsWith('kit-gate-'));
      const world = mcpWorld({
        root,
        env: { PATH: runtime.env.PATH ?? process.env.PATH ?? '', HOME: process.env.HOME ?? '' },
        openWay: async (_server, to) => {
          if (executor.openWay === undefined) throw new Error('the executor has no proxy');
          return executor.openWay({
            ...to,
            addressesOf: async () => [{ address: '127.0.0.1', family: 4 }],
            onAnswer: async (answer) => void answers.push(answer),
          });
        },
      });
      const server = await world.open({
        transport: 'stdio',
        command: ['node', '/workspace/server.mjs', '/workspace/ask.mjs', String(upstream.port), KEY.toString('hex')],
        sandboxed: true,
        sandbox_image: runtime.image,
        sandbox_allow: [good],
        ...(runtime.env.KIT_CONTAINER_RUNTIME === undefined
          ? {}
          : { container_runtime: runtime.env.KIT_CONTAINER_RUNTIME }),
      });
      const said = textOf(await call(server, 'reach', { text: `${good} evil.example.org:443` }));
      expect(JSON.parse(said)).toEqual({ answers: ['hello', '403'], direct: kind === 'played' });
      expect(answers).toMatchObject([
        { host: 'api.example.org', port: upstream.port, answer: 'allowed' },
        { host: 'evil.example.org', port: 443, answer: 'refused', reason: 'it is not on the list' },
      ]);
      await server.close();
      const after = readdirSync(tmpdir()).filter((name) => name.startsWith('kit-gate-') && !before.includes(name));
      expect(after).toEqual([]);
    }, 60_000);
  },
);
