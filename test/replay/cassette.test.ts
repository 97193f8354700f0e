import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CassetteWorkspace,
  type EndedRun,
  logText,
  openReplayRoom,
  recordRun,
  textByStep,
} from '../support/cassette/run-cassette.js';
import { createTenAgentsModel, tenAgents } from '../support/cassette/ten-agents.js';
import { startModelServer } from '../support/model-server.js';
import { createRepository, type TestRepository } from '../support/repository.js';

/**
 * The full length is 100: `KIT_TEST_REPLAYS=100 npx vitest run test/replay`
 * (docs/record-and-replay.md).
 */
const REPLAYS = Number(process.env.KIT_TEST_REPLAYS ?? '20');
const TOKEN = 'planted-token-4f1b9c';
const KEY = 'planted-key-77a0de';

let repository: TestRepository;
let away: string;
let file: string;
let recorded: EndedRun;

const place = (env: Readonly<Record<string, string>>): CassetteWorkspace => ({
  directory: repository.root,
  topology: 'ten',
  input: 'Do it all.',
  env,
});

beforeAll(async () => {
  repository = createRepository(tenAgents);
  away = realpathSync(mkdtempSync(join(tmpdir(), 'kit-cassette-')));
  file = join(away, 'ten.cassette');
  const server = await startModelServer(createTenAgentsModel());
  try {
    const env = { PATH: process.env.PATH ?? '', MODEL_URL: server.url, LOCAL_KEY: KEY, PLANTED: TOKEN };
    recorded = await recordRun(place(env), file);
  } finally {
    await server.close();
  }
});
afterAll(() => {
  repository.dispose();
  rmSync(away, { recursive: true, force: true });
});

const cpuMs = (since: NodeJS.CpuUsage): string => {
  const { user, system } = process.cpuUsage(since);
  return ((user + system) / 1000 / REPLAYS).toFixed(0);
};

/** No key, no credential, no program on PATH, and a server that is gone. */
const NOTHING = { PATH: '/nonexistent', MODEL_URL: 'http://127.0.0.1:9/v1' };

describe('a recorded run of ten agents', () => {
  it('went through everything that can be recorded', () => {
    const types = new Set(recorded.events.map(({ type }) => type));

    expect(recorded.job).toMatchObject({ status: 'completed' });
    expect(recorded.events.filter(({ type }) => type === 'agent.started')).toHaveLength(10);
    expect(types).toContain('executor.message');
    expect(recorded.events.filter((event) => event.type === 'model.called' && event.payload.retries > 0)).toHaveLength(
      1,
    );
    expect(recorded.events.filter((event) => event.type === 'output.validated' && !event.payload.valid)).toHaveLength(
      1,
    );
    expect(
      recorded.events.filter((event) => event.type === 'skill.executed').map((event) => event.payload),
    ).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ status: 'ok' }),
        expect.objectContaining({ reason: 'exit_code' }),
      ]),
    );
  });

  it(
    `is replayed ${REPLAYS} times with nothing reachable: the same events per activation, the same log each time`,
    async () => {
      const room = openReplayRoom(place(NOTHING));
      const tookMs: number[] = [];
      const logs = new Set<string>();
      const cpu = process.cpuUsage();
      try {
        for (let count = 0; count < REPLAYS; count += 1) {
          const startedMs = performance.now();
          const run = await room.replay(file);
          tookMs.push(performance.now() - startedMs);
          expect(run.job).toMatchObject({
            status: 'completed',
            output: recorded.job.output,
            usage: recorded.job.usage,
            diffLength: recorded.job.diffLength,
          });
          expect(textByStep(run, repository.root)).toBe(textByStep(recorded, repository.root));
          logs.add(logText(run, repository.root));
        }
      } finally {
        await room.close();
      }
      const sorted = tookMs.toSorted((a, b) => a - b);
      const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
      process.stdout.write(
        `${REPLAYS} replays of ten agents: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, slowest ${at(1)} ms, ${cpuMs(cpu)} ms of CPU each\n`,
      );

      expect(logs.size).toBe(1);
    },
    60_000 + 1000 * REPLAYS,
  );
});
