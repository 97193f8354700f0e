import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Job } from '../../../../src/domain/job.js';
import type { Stores } from '../../../../src/domain/ports/stores.js';
import { harnessWorkspace } from '../../../e2e/workspaces.js';
import { overriding } from '../../../engine/laws.js';
import { submitted, untilStatus } from '../../../support/http/ask.js';
import { idleTopology } from '../../../support/http/idle-workspace.js';
import { makeDirectory, openServeScene, type ServeScene } from '../../../support/http/serve-scene.js';

const DONE = 'echo "{\\"type\\":\\"done\\",\\"text\\":\\"built\\"}"';
const WORKER = { timeout: 60_000 };

interface Machine {
  readonly scene: ServeScene;
  approve(): Promise<void>;
  /** A run with the adapter, as an api without approvals would leave it. */
  waiting(over?: Partial<Job>): Promise<string>;
  row(id: string): Promise<Job>;
  /**
   * Resolves once the server has looked at the queue after all that waits, and has had room for it.
   */
  looked(): Promise<void>;
}

/**
 * A server on a machine where a run with the workspace's adapter has gone well once, and the
 * approval was taken back then.
 */
async function withMachine(
  work: (machine: Machine) => Promise<void>,
  wrap?: (stores: Stores, directory: string) => Stores,
): Promise<void> {
  const directory = await makeDirectory({
    ...harnessWorkspace(DONE),
    '.gitignore': '.kit\n.config\n',
    'topologies/idle.yaml': idleTopology('idle'),
  });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: directory,
      stdio: 'ignore',
    });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '-m', 'start');
  // The home of the scene is the repository, where no worktree is made.
  const state = `${directory}-state`;
  const scene = await openServeScene(directory, {
    env: { XDG_STATE_HOME: state },
    ...(wrap === undefined ? {} : { wrap: (stores) => wrap(stores, directory) }),
  });
  const row = async (id: string): Promise<Job> =>
    (await (await scene.stores()).jobs.get(id)) ?? expect.fail('no such run');
  const plan = {
    ...{
      workspace: directory,
      topology: 'own',
      input: 'x',
      attachments: [],
      correlationId: null,
      labels: {},
      supersedes: null,
      timeoutMs: null,
    },
    submittedBy: { identity: 'tester', assurance: 'asserted' as const },
    trust: [],
  };
  const approve = async (): Promise<void> => {
    for (const adapter of (await scene.runs.plan(plan)).untrusted)
      await scene.runs.approveAdapter({ workspace: directory, adapter });
  };
  try {
    await approve();
    const { id } = (await submitted(scene, 'own', { input: 'x' })).json();
    await untilStatus(scene, id, 'completed');
    rmSync(join(directory, '.config'), { recursive: true });
    const like = await row(id);
    const looked = async (): Promise<void> => {
      const after = (await submitted(scene, 'idle', { input: 'x' })).json();
      await untilStatus(scene, after.id, 'completed');
    };
    await work({ scene, approve, row, looked, waiting: (over) => scene.insertPending({ ...like, ...over }) });
  } finally {
    await scene.stop();
    for (const path of [directory, state]) await rm(path, { recursive: true, force: true });
  }
}

it(
  'a server leaves a run to others whose adapter nobody has approved on its machine, also after a reload, until somebody does',
  WORKER,
  async () => {
    await withMachine(async ({ scene, approve, waiting, row, looked }) => {
      expect(await scene.serve.reload()).toMatchObject({ valid: true });
      const id = await waiting();
      await looked();
      expect(await row(id)).toMatchObject({ status: 'pending', attempt: 0 });

      await approve();

      expect(await untilStatus(scene, id, 'completed')).toMatchObject({ output: 'built', attempt: 1 });
    });
  },
);

/** The approval is taken back right behind the claim of a run of this priority. */
const TAKEN_BACK = 7;

const takenBackAtClaim = (stores: Stores, directory: string): Stores =>
  overriding(stores, {
    jobs: overriding(stores.jobs, {
      insert: async (...args) => {
        const job = await stores.jobs.insert(...args);
        if (job.source === 'cli') rmSync(join(directory, '.config'), { recursive: true, force: true });
        return job;
      },
      claim: async (request) => {
        const jobs = await stores.jobs.claim(request);
        if (jobs.some(({ priority }) => priority === TAKEN_BACK))
          rmSync(join(directory, '.config'), { recursive: true, force: true });
        return jobs;
      },
    }),
  });

it(
  'a run whose approval is taken back between claim and start goes back once, counts nothing, and is not claimed again',
  WORKER,
  async () => {
    await withMachine(async ({ approve, waiting, row, looked, scene }) => {
      await approve();
      // What the server knows of approvals is a second old at most.
      const id = await waiting({ priority: TAKEN_BACK });
      await expect.poll(async () => row(id)).toMatchObject({ status: 'pending', attempt: 1 });
      await looked();
      await looked();
      expect(await row(id)).toMatchObject({ status: 'pending', attempt: 1, crashes: 0, reason: null, workerId: null });
      expect((await (await scene.stores()).events.readRun(id, 0, 100)).map(({ type }) => type)).toEqual([
        'run.started',
      ]);
    }, takenBackAtClaim);
  },
);

it('a run that starts what its needs do not name is refused, not claimed for ever', WORKER, async () => {
  await withMachine(async ({ scene, waiting, row }) => {
    const { needs } = await row(await waiting());
    const id = await waiting({ needs: { ...needs, adapters: {} } });

    expect(await untilStatus(scene, id, 'failed')).toMatchObject({ reason: 'KIT_ADAPTER_UNTRUSTED', attempt: 1 });
  });
});

it(
  'kit run, which has no queue to give it to, ends a run whose approval is taken back before it starts',
  WORKER,
  async () => {
    await withMachine(async ({ scene, approve }) => {
      await approve();
      const handle = await scene.runs.start({
        ...{
          workspace: scene.directory,
          topology: 'own',
          input: 'x',
          attachments: [],
          correlationId: null,
          labels: {},
          supersedes: null,
        },
        ...{ timeoutMs: null, trust: [], submittedBy: { identity: 'tester', assurance: 'asserted' } },
      });
      expect(await handle.done).toMatchObject({ status: 'failed', reason: 'KIT_ADAPTER_UNTRUSTED', attempt: 1 });
    }, takenBackAtClaim);
  },
);
