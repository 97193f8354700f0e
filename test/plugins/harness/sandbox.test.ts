import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContainerSandbox } from '../../../plugins/harness/src/adapter/spec.js';
import { contribution } from '../../../plugins/harness/src/executor.js';
import { planContainer } from '../../../plugins/harness/src/sandbox/container.js';
import { planImage } from '../../../plugins/harness/src/sandbox/image-runtime.js';
import { createTestContext } from '../../../src/domain/testing.js';
import type { ContainerSettings, ExecutorResult, JsonObject } from '../../../src/sdk/plugin.js';
import { writeFakeDocker } from '../../support/fake-docker.js';
import { recorder } from './fake-spawn.js';

const SANDBOX: ContainerSandbox = {
  image: 'tools:1',
  build: null,
  mounts: [],
  allow: [],
  resources: { cpus: null, memory: null, pids: null },
};
const plan = (more: Partial<Parameters<typeof planContainer>[0]> = {}) =>
  planContainer({
    sandbox: SANDBOX,
    runtime: 'docker',
    image: 'tools:1',
    name: 'kit-harness-x',
    worktree: '/tree',
    workspaceRoot: '/ws',
    home: null,
    owner: null,
    step: 'step-1',
    user: { uid: 7, gid: 8 },
    isRoot: false,
    argv: ['agent', '--json'],
    logins: [],
    launchSocket: null,
    variables: { API_KEY: 'sekret-value' },
    hostEnv: { PATH: '/bin' },
    ...more,
  });

describe('the command of a harness in a container', () => {
  it('has no network, the worktree, who runs kit, variables by name and no value of theirs', () => {
    expect(plan()).toEqual({
      ok: true,
      argv: [
        'docker',
        'run',
        '--rm',
        '-i',
        '--init',
        '--name=kit-harness-x',
        '--label=kit.step=step-1',
        '--log-driver=none',
        '--network=none',
        '--security-opt=no-new-privileges',
        '--cap-drop=ALL',
        '--read-only',
        '--user=7:8',
        '--mount=type=bind,source=/tree,target=/workspace',
        '--tmpfs=/home/kit:mode=1777',
        '--tmpfs=/tmp:mode=1777',
        '--workdir=/workspace',
        '--memory=4g',
        '--pids-limit=4096',
        '-e',
        'HOME=/home/kit',
        '-e',
        'API_KEY',
        'tools:1',
        'agent',
        '--json',
      ],
      env: { PATH: '/bin', API_KEY: 'sekret-value' },
    });
  });

  it('mounts from the workspace, read-only unless it is said, and bounds what is bounded', () => {
    const sandbox: ContainerSandbox = {
      ...SANDBOX,
      mounts: [
        { source: 'data', target: '/data', isWritable: false },
        { source: '/cache', target: '/cache', isWritable: true },
      ],
      resources: { cpus: '1.5', memory: '2g', pids: 100 },
    };

    expect(plan({ sandbox, runtime: 'podman' })).toMatchObject({
      argv: expect.arrayContaining([
        '--userns=keep-id',
        '--mount=type=bind,source=/ws/data,target=/data,readonly',
        '--mount=type=bind,source=/cache,target=/cache',
        '--cpus=1.5',
        '--memory=2g',
        '--pids-limit=100',
      ]),
    });
  });

  it.each([
    ['a variable that steers the runtime', { variables: { DOCKER_HOST: 'x' } }, 'DOCKER_HOST'],
    ['an image that is an option', { image: '--privileged' }, 'option of the runtime'],
    ['a path that a mount cannot have', { worktree: '/a,b' }, 'comma'],
  ])('is refused for %s', (_what, more, says) => {
    expect(plan(more)).toMatchObject({ ok: false, message: expect.stringContaining(says) });
  });
});

describe('HOME of a harness in a container', () => {
  it('is a folder that stays, where there is one, with the logins in it', () => {
    const planned = plan({
      home: '/kept',
      logins: [{ source: '/home/ada/.tool', inHome: '.tool' }],
    });

    const argv = planned.ok ? planned.argv : [];
    expect(argv).toContain('--mount=type=bind,source=/kept,target=/home/kit');
    expect(argv.filter((word) => word.startsWith('--tmpfs='))).toEqual(['--tmpfs=/tmp:mode=1777']);
    expect(argv).toContain('--mount=type=bind,source=/home/ada/.tool,target=/home/kit/.tool,readonly');
  });
});

describe('the image of a harness', () => {
  const of = { fallback: null, workspaceRoot: '/ws' };
  const build = { base: null, dockerfile: null, inline: null, install: [] };

  it('is that of the adapter, else the one of the environment, else one that is built, else none', () => {
    expect(planImage(SANDBOX, { ...of, fallback: 'other:1' })).toEqual({ kind: 'named', image: 'tools:1' });
    expect(planImage({ ...SANDBOX, image: null }, { ...of, fallback: 'other:1' })).toEqual({
      kind: 'named',
      image: 'other:1',
    });
    expect(planImage({ ...SANDBOX, image: null }, of)).toEqual({ kind: 'missing' });
    expect(
      planImage({ ...SANDBOX, image: null, build: { ...build, base: 'node:24', install: ['npm i -g x'] } }, of),
    ).toMatchObject({
      kind: 'built',
      stdin: 'FROM node:24\nRUN npm i -g x\n',
      args: ['-t', expect.stringMatching(/^kit-harness:[0-9a-f]{12}$/), '-'],
    });
    expect(planImage({ ...SANDBOX, image: null, build: { ...build, dockerfile: 'box/Dockerfile' } }, of)).toMatchObject(
      {
        args: ['-t', expect.any(String), '-f', '/ws/box/Dockerfile', '/ws/box'],
      },
    );
  });
});

let base: string;
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kit-harness-sandbox-')));
  writeFakeDocker(base);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const ADAPTER: JsonObject = {
  launch: {
    command: ['sh', '-c', `echo "{\\"type\\":\\"end\\",\\"text\\":\\"$API_KEY in {sandbox.root}\\"}"`],
    env: { API_KEY: 'sekret-value' },
  },
  stream: { format: 'jsonl' },
  event_map: [{ when: { type: 'end' }, emit: [{ event: 'result', with: { status: 'success', output: '$.text' } }] }],
  sandbox: { kind: 'container', image: 'tools:1' },
};

async function run(
  path: string,
  containers: Partial<ContainerSettings> = {},
  adapter: JsonObject = ADAPTER,
): Promise<{
  readonly result: ExecutorResult;
  readonly commands: readonly string[];
  readonly removals: readonly string[];
}> {
  const { context, spawned } = recorder({ PATH: path });
  const secrets = { credential: async () => '', env: () => null };
  const plugin = {
    ...createTestContext(),
    ...context,
    fetch: globalThis.fetch,
    plugin: { name: 'p', version: '0.1.0' },
    secrets,
  };
  const executor = await contribution.create({}, plugin);
  const settings: ContainerSettings = {
    runtime: null,
    image: null,
    isDisabled: false,
    workspaceRoot: base,
    ...containers,
  };
  const budget = { maxCostUsd: null, maxTurns: null, maxWallClockMs: null, maxIdleMs: 20_000 };
  const asked = {
    agentId: 'a',
    statement: 'x',
    config: {},
    adapter,
    sandboxRoot: base,
    baseCommit: null,
    resumeToken: null,
    stepId: 's',
    budget,
  };
  const result = await executor.run(asked, { ...context, containers: settings });
  return {
    result,
    commands: spawned.map(({ argv }) => argv.slice(0, 2).join(' ')),
    removals: spawned.flatMap(({ afterwards }) => (afterwards === undefined ? [] : [afterwards.argv.join(' ')])),
  };
}

describe('a harness whose adapter asks for a container', () => {
  it('runs in one, with its variables and the directory as it is inside, and its container is removed by its supervisor', async () => {
    const { result, commands, removals } = await run(`${base}:${process.env.PATH ?? ''}`);

    expect(result).toMatchObject({ status: 'success', output: 'sekret-value in /workspace' });
    expect(commands).toEqual(['docker version', 'docker run']);
    expect(removals).toEqual([expect.stringMatching(/^docker rm -f kit-harness-[0-9a-f-]{36}$/)]);
  });

  it('builds its image first where the adapter says how', async () => {
    const built = { ...ADAPTER, sandbox: { kind: 'container', build: { base: 'node:24' } } };
    const { result, commands } = await run(`${base}:${process.env.PATH ?? ''}`, {}, built);

    expect(result.status).toBe('success');
    expect(commands).toEqual(['docker version', 'docker build', 'docker run']);
  });

  it.each([
    ['no runtime answers', '/nowhere', {}, ADAPTER, 'neither docker nor podman answers'],
    ['the wanted runtime is none', null, { runtime: 'crane' }, ADAPTER, 'KIT_CONTAINER_RUNTIME'],
    ['there is no image', null, {}, { ...ADAPTER, sandbox: { kind: 'container' } }, 'KIT_HARNESS_IMAGE'],
  ])('is refused where %s', async (_what, path, containers, adapter, says) => {
    const { result, commands } = await run(path ?? `${base}:${process.env.PATH ?? ''}`, containers, adapter);

    expect(result).toMatchObject({
      status: 'failure',
      reason: 'sandbox_unavailable',
      message: expect.stringContaining(says),
    });
    expect(commands).not.toContain('docker run');
  });

  it('has its worktree alone where the operator has switched containers off', async () => {
    const { result, commands } = await run(process.env.PATH ?? '', { isDisabled: true });

    expect(result).toMatchObject({ status: 'success', output: `sekret-value in ${base}` });
    expect(commands).toEqual(['sh -c']);
  });
});
