import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestRuntime } from '../../support/container-runtimes.js';
import type { ModelServer } from '../../support/model-server.js';
import { killListed, until } from '../../support/processes.js';
import { makeRepositoryIn } from '../repository.js';
import { harnessWorkspace } from '../workspaces.js';
import { type LiveKit, lastOf, makeWorld, type World } from '../world.js';
import { STUBBORN_HARNESS, STUBBORN_SERVER } from './stubborn.js';
import { callOf, inputOf, startCallingModel, toolScene } from './tool-world.js';

const GONE_WITHIN_MS = 5_000;
const STARTS_WITHIN_MS = 30_000;

/** A run whose program works in a container: what it is told is `one`, or to `hang`. */
interface Scene {
  readonly what: string;
  readonly dir: string;
  argv(reported: string): readonly string[];
  /** What stands on stdout once the program is at work. */
  readonly atWork: RegExp;
  readonly output: { readonly real: RegExp; readonly played: RegExp };
}

/** A topology that needs no container. */
const PLAIN = {
  'topologies/plain.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: plain, version: 1.0.0 }
agents: { root: { id: boss, role: root, model: { provider: mock, name: m1 }, prompt: { system: You work. } } }
`,
};

async function toolServer(world: World, { image }: TestRuntime): Promise<Scene> {
  const servers = `  - { id: box, transport: stdio, command: [node, /workspace/server.mjs], permission: open, sandboxed: true, sandbox_image: '${image}' }\n`;
  const { dir } = toolScene(world, 'boxed', { servers, tools: [{ skill: 'look', server: 'box', tool: 'look' }] });
  world.files('boxed', { 'server.mjs': STUBBORN_SERVER, ...PLAIN });
  return {
    what: 'a tool server',
    dir,
    argv: (reported) => ['talk', '--input', inputOf([callOf('look', reported)])],
    atWork: /"tool_calls":1/,
    output: { real: /user 65534/, played: /user \d+/ },
  };
}

async function harness(world: World, { image }: TestRuntime): Promise<Scene> {
  const files = harnessWorkspace('');
  const adapter = String(files['adapters/own.yaml'])
    .replace(/launch: .*/, 'launch: { command: [node, /workspace/agent.cjs, "{task.statement}"] }')
    .replace(/ {2}stream:/, `  sandbox: { kind: container, image: '${image}' }\n  stream:`);
  const repository = makeRepositoryIn(world, 'worked', {
    ...files,
    'adapters/own.yaml': adapter,
    'agent.cjs': STUBBORN_HARNESS,
    ...PLAIN,
  });
  const refused = await world.kit(['run', repository.root, 'own', '--input', 'hi']);
  const trust = /--trust ([0-9a-f]{64})/.exec(refused.stderr)?.[1] ?? '';
  return {
    what: 'a harness',
    dir: repository.root,
    argv: (reported) => ['own', '--input', reported, '--trust', trust],
    atWork: /"executor.started"/,
    output: { real: /caps 0000000000000000/, played: /caps [0-9a-f]+/ },
  };
}

/**
 * What must hold of a program in a container that ignores every signal and the end of its stdin.
 *
 * @param share `few`: one end by force of each kind of program
 */
export function describeContainerEnds(runtime: TestRuntime, share: 'all' | 'few'): void {
  const scenes = [
    { name: 'a tool server', make: toolServer },
    { name: 'a harness', make: harness },
  ];
  describe.each(scenes)(
    `$name in a container (${runtime.kind}) that ignores every signal and the end of its stdin`,
    ({ make }) => {
      const { containers, env: own, kind } = runtime;
      let world: World;
      let model: ModelServer;
      let scene: Scene;
      beforeAll(async () => {
        [world, model] = await Promise.all([makeWorld(), startCallingModel()]);
        scene = await make(world, runtime);
      }, 120_000);
      afterAll(async () => {
        await model?.close();
        await world?.dispose();
      });

      const env = (): NodeJS.ProcessEnv => ({ MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test', ...own });
      const start = (reported: string, ...flags: string[]): LiveKit =>
        world.start(['run', scene.dir, ...scene.argv(reported), '--json', ...flags], { env: env(), stdin: '' });
      const kit = (...argv: string[]) => world.kit(argv, { env: env(), stdin: '' });
      /** A run whose program hangs. */
      const hanging = async (...flags: string[]): Promise<LiveKit> => {
        const live = start('hang', ...flags);
        await until('the container runs', () => containers().length === 1, STARTS_WITHIN_MS);
        await until('the program is at work', () => scene.atWork.test(live.stdout()), STARTS_WITHIN_MS);
        return live;
      };
      /** How long that took is printed, as a figure for whoever reads it. */
      const gone = async (after: string): Promise<void> => {
        const fromMs = performance.now();
        await until('no container is left', () => containers().length === 0, GONE_WITHIN_MS);
        const tookMs = Math.round(performance.now() - fromMs);
        process.stdout.write(`${kind}, ${scene.what}: gone within ${tookMs} ms of ${after}\n`);
      };
      /** Kit and its supervisors die at once: nobody is left to remove the container. */
      const abandoned = async (): Promise<string | undefined> => {
        const live = await hanging();
        const [left] = containers();
        for (const pid of childrenOf(live.child.pid ?? -1)) killListed(pid);
        live.child.kill('SIGKILL');
        await live.ended;
        expect(containers()).toEqual([left]);
        return left;
      };

      it('is gone after a kill -9 of kit', async () => {
        const live = await hanging();
        live.child.kill('SIGKILL');

        await gone('kill -9');
      }, 60_000);

      it('is gone after a second Ctrl-C', async () => {
        const live = await hanging();
        live.child.kill('SIGINT');
        await live.sees(/press Ctrl-C again/);
        live.child.kill('SIGINT');

        const result = await live.ended;
        await gone('a second Ctrl-C');
        expect(result.code).toBe(130);
      }, 60_000);

      if (share === 'few') return;

      it('works, and is gone when the run has ended', async () => {
        const result = await start('one').ended;

        expect(containers()).toEqual([]);
        expect(lastOf(result)).toMatchObject({
          status: 'completed',
          output: expect.stringMatching(scene.output[kind]),
        });
      }, 60_000);

      it('is gone when the time of the run is over', async () => {
        const result = await start('hang', '--timeout', '4s').ended;

        expect(containers()).toEqual([]);
        expect(lastOf(result)).toMatchObject({ status: 'failed', reason: 'timeout' });
      }, 60_000);

      it('never works beside a second one: what its supervisor could not remove is gone before the run goes on', async () => {
        const left = await abandoned();

        const live = world.start(['run', scene.dir, ...scene.argv('hang').slice(0, 1), '--resume', '--json'], {
          env: env(),
          stdin: '',
        });
        const seen = new Set<number>();
        await until(
          'another container works',
          () => {
            const names = containers();
            seen.add(names.length);
            return names.length === 1 && names[0] !== left;
          },
          STARTS_WITHIN_MS,
        );
        live.child.kill('SIGKILL');
        await gone('kill -9 of the resumed run');

        expect(Math.max(...seen)).toBe(1);
      }, 90_000);

      it('is removed by the doctor, who says so', async () => {
        await abandoned();

        const report = lastOf(await kit('doctor', scene.dir, '--json'));

        expect(report.checks).toContainEqual(
          expect.objectContaining({ id: 'containers.left', found: expect.stringMatching(/^1 that a dead process/) }),
        );
        expect(containers()).toEqual([]);
      }, 60_000);

      it('is removed by a server that starts', async () => {
        await abandoned();

        const server = world.start(['serve', scene.dir, '--port', '0'], { env: env(), stdin: '' });
        await server.sees(/containers that a dead process of kit had left were removed/);
        server.child.kill('SIGTERM');

        expect((await server.ended).code).toBe(0);
        expect(containers()).toEqual([]);
      }, 60_000);

      it('is removed by a run of the workspace that starts no container', async () => {
        await abandoned();

        await kit('run', scene.dir, 'plain', '--input', 'hi');

        expect(containers()).toEqual([]);
      }, 60_000);
    },
  );
}

const childrenOf = (pid: number): readonly number[] =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .map(Number)
    .filter(Boolean);
