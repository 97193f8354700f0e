import { copyFileSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contribution } from '../../../../plugins/harness/src/executor.js';
import { createTestContext } from '../../../../src/domain/testing.js';
import type { ExecutorEvent, ExecutorResult, JsonObject } from '../../../../src/sdk/plugin.js';
import { playedRuntime, realRuntime, type TestRuntime } from '../../../support/container-runtimes.js';
import { recorder } from '../fake-spawn.js';
import { echoOverTls, KEY, type Listening } from './tls-peers.js';

const SCRIPT = fileURLToPath(new URL('asks-for-hosts.mjs', import.meta.url));
const real = realRuntime('the hosts of a harness in a container');
const runtimes: readonly TestRuntime[] = [playedRuntime(), ...(real === null ? [] : [real])];

let base: string;
let upstream: Listening;
beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kit-egress-')));
  copyFileSync(SCRIPT, join(base, 'ask.mjs'));
  upstream = await echoOverTls();
});
afterAll(() => {
  for (const runtime of runtimes) runtime.dispose();
  upstream.server.close();
  rmSync(base, { recursive: true, force: true });
});

async function run(
  runtime: TestRuntime,
  hosts: readonly string[],
): Promise<{ readonly result: ExecutorResult; readonly events: readonly ExecutorEvent[] }> {
  const env = { PATH: runtime.env.PATH ?? process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  const { context, events } = recorder(env);
  const parts = { fetch: globalThis.fetch, plugin: { name: 'p', version: '0.1.0' } };
  const secrets = { credential: async () => '', env: () => null };
  const executor = await contribution.create({}, { ...createTestContext(), ...context, ...parts, secrets });
  const adapter: JsonObject = {
    launch: { command: ['node', '/workspace/ask.mjs', String(upstream.port), KEY.toString('hex'), ...hosts] },
    stream: { format: 'jsonl' },
    event_map: [{ when: { type: 'end' }, emit: [{ event: 'result', with: { status: 'success', output: '$.text' } }] }],
    sandbox: {
      kind: 'container',
      image: runtime.image,
      network: 'allowlist',
      allow: [`api.example.org:${upstream.port}`],
    },
  };
  const budget = { maxCostUsd: null, maxTurns: null, maxWallClockMs: null, maxIdleMs: 60_000 };
  const asked = { agentId: 'a', statement: 'x', config: {}, adapter, sandboxRoot: base, baseCommit: null };
  const result = await executor.run(
    { ...asked, resumeToken: null, stepId: 's', budget },
    {
      ...context,
      containers: {
        runtime: runtime.env.KIT_CONTAINER_RUNTIME ?? null,
        image: null,
        isDisabled: false,
        workspaceRoot: base,
        addressesOf: async () => [{ address: '127.0.0.1', family: 4 }],
      },
    },
  );
  return { result, events };
}

describe.each(runtimes.map((runtime) => [runtime.kind, runtime] as const))(
  'a harness in a container that reaches hosts (%s)',
  (kind, runtime) => {
    it('reaches those of its list through kit, no other one, and each is recorded once', async () => {
      const good = `api.example.org:${upstream.port}`;
      const { result, events } = await run(runtime, [good, 'evil.example.org:443', good, 'evil.example.org:443']);

      expect(result).toMatchObject({ status: 'success', output: expect.any(String) });
      expect(JSON.parse(String(result.output))).toEqual({
        answers: ['hello', '403', 'hello', '403'],
        direct: kind === 'played',
      });
      expect(events.filter(({ type }) => type === 'network')).toEqual([
        { type: 'network', host: 'api.example.org', port: upstream.port, answer: 'allowed', reason: '' },
        {
          type: 'network',
          host: 'evil.example.org',
          port: 443,
          answer: 'refused',
          reason: expect.stringContaining('list'),
        },
      ]);
    });
  },
);
