import { expect, it, onTestFinished, vi } from 'vitest';
import { type KitHome, linesOf, makeHome } from '../../support/kit-process.js';
import { nextBuild } from '../../support/next-build.js';
import { goodPlugin, writePlugin } from '../../support/plugin-package.js';
import { makeRepositoryIn } from '../repository.js';
import { harnessWorkspace, localProvider, talk } from '../workspaces.js';
import { lastOf } from '../world.js';
import { ask, type Fleet, openFleet, type Start, until, WAIT } from './fleet.js';

/**
 * A worker looks at the queue at least once in this time; it is left alone with the run for several
 * of them.
 */
const POLL_MS = 1_000;
const POLLS = 3;

const DONE = 'echo "{\\"type\\":\\"done\\",\\"text\\":\\"built\\"}"';
const DONE_OTHERWISE = DONE.replace('built', 'built otherwise');

const topology = (name: string, helper: string, other: string): string => `apiVersion: kit/v1
kind: Topology
metadata: { name: ${name}, version: 1.0.0, description: A leader with a plugin and a harness. }
agents:
  root:
    id: boss
    role: root
    model: { provider: local, name: m1 }
    prompt: { system: You lead. }
    children:
      - { id: helper, role: worker, archetype: ${helper} }
      - { id: other, role: worker, archetype: ${other} }
`;

/**
 * `by-plugin` and `by-harness` need the same of a worker; the leader calls the helper, which is
 * another kind of executor in each.
 */
function files(
  of: { readonly id?: string; readonly script?: string; readonly isWithoutPlugin?: boolean } = {},
): Readonly<Record<string, string>> {
  const harness = harnessWorkspace(of.script ?? DONE);
  const runner = (harness['archetypes/runner.yaml'] ?? '').replace('role: root', 'role: worker');
  return {
    ...talk({ provider: 'local', files: { 'providers/local.yaml': localProvider } }),
    'workspace.yaml': `apiVersion: kit/v1
kind: Workspace
metadata: { id: ${of.id ?? 'work'}, name: Work }
memory: { enabled: false }
storage: { runtime: { backend: postgres, url: "\${RUNS_URL}" } }
server: { jobs: { lease_seconds: 3 } }
`,
    'adapters/own.yaml': harness['adapters/own.yaml'] ?? '',
    'archetypes/runner.yaml': runner,
    'topologies/own.yaml': `apiVersion: kit/v1\nkind: Topology\nmetadata: { name: own, version: 1.0.0 }\nagents: { root: { id: hand, role: root, archetype: hand } }\n`,
    'archetypes/hand.yaml': (harness['archetypes/runner.yaml'] ?? '').replace('id: runner', 'id: hand'),
    ...(of.isWithoutPlugin
      ? {}
      : {
          'archetypes/echoing.yaml': runner
            .replace('id: runner', 'id: echoing')
            .replace('kind: harness, ref: own, config: {  }', 'kind: echo'),
          'topologies/by-plugin.yaml': topology('by-plugin', 'echoing', 'runner'),
          'topologies/by-harness.yaml': topology('by-harness', 'runner', 'echoing'),
        }),
  };
}

const homeOf = async (): Promise<KitHome> => {
  const home = await makeHome();
  onTestFinished(home.remove);
  return home;
};

async function link(fleet: Fleet, plugin: string, env: NodeJS.ProcessEnv): Promise<void> {
  const linked = await fleet.world.here(['plugins', 'link', plugin, '--yes', '--json'], { env });
  expect([linked.code, linked.stderr]).toEqual([0, expect.any(String)]);
}

const shown = (digest: string): string => digest.slice(0, 12);
const asked = (dir: string): readonly string[] => ['run', dir, 'own', '--input', 'x', '--json'];

/** Of the adapter of this directory, as a run by hand asks about it. */
async function digestOf(fleet: Fleet, dir: string): Promise<string> {
  const { data } = lastOf(await fleet.world.here(asked(dir), { env: fleet.env }));
  return (data as { readonly adapters: readonly { readonly digest: string }[] }).adapters[0]?.digest ?? expect.fail();
}

/** A run by hand, in which a person approves what the adapter of this directory starts. */
async function approve(
  fleet: Fleet,
  dir: string,
  of: { readonly digest: string; readonly env?: NodeJS.ProcessEnv },
): Promise<void> {
  const run = await fleet.world.here([...asked(dir), '--trust', of.digest], { env: { ...fleet.env, ...of.env } });
  expect([run.stderr, run.code]).toEqual([expect.any(String), 0]);
}

it('a worker that lacks one thing of a run never claims it, while it does others, and what it lacks is said', {
  timeout: 300_000,
}, async () => {
  const fleet = await openFleet();
  const plugin = await writePlugin(fleet.world.base, goodPlugin);
  const older = await writePlugin(fleet.world.files('older', {}), { ...goodPlugin, version: '0.9.0' });
  const [strange, outdated, unplugged] = [await homeOf(), await homeOf(), await homeOf()];
  const dir = makeRepositoryIn(fleet.world, 'work', files()).root;
  const changed = makeRepositoryIn(fleet.world, 'changed', files({ script: DONE_OTHERWISE })).root;
  const elsewhere = makeRepositoryIn(fleet.world, 'elsewhere', files({ id: 'elsewhere' })).root;
  const plain = makeRepositoryIn(fleet.world, 'plain', files({ isWithoutPlugin: true })).root;
  for (const env of [fleet.env, strange.env]) await link(fleet, plugin, env);
  await link(fleet, older, outdated.env);
  const build = nextBuild();
  const [digest, otherDigest] = [await digestOf(fleet, dir), await digestOf(fleet, changed)];
  // An approval is one of a person for a directory.
  await approve(fleet, dir, { digest });
  await approve(fleet, dir, { digest, env: outdated.env });
  await approve(fleet, plain, { digest, env: unplugged.env });
  await approve(fleet, elsewhere, { digest });
  await approve(fleet, changed, { digest: otherDigest });

  const api = await fleet.api(dir);
  const submit = async (topology: string): Promise<string> =>
    String((await ask(api, `/run/${topology}`, { input: 'go' })).body.id);
  const [stopped, queued] = [await submit('by-plugin'), await submit('by-harness')];
  expect((await ask(api, `/jobs/${stopped}/stop`, {})).body).toMatchObject({ status: 'stopped' });
  const rows = () =>
    fleet.database.query(
      'SELECT id, status, worker_id, attempt, xmin::text AS version FROM kit.jobs WHERE id = ANY($1)',
      [[stopped, queued]],
    );
  const before = await rows();
  // Where the workspace itself names what is not there, no worker starts.
  const refused = await fleet.world.here(['worker', dir, '--json'], { env: { ...fleet.env, ...unplugged.env } });
  expect([refused.code, lastOf(refused)]).toMatchObject([
    1,
    { code: 'KIT_WORKSPACE_INVALID', message: expect.stringContaining('`echo`') },
  ]);

  interface Case {
    readonly lacks: string;
    readonly missing: string;
    readonly dir?: string;
    readonly argv?: readonly string[];
    readonly start?: Start;
    /** Who accepts the runs that this worker can do; default: the api of the others. */
    readonly accepts?: { readonly dir: string; readonly start: Start };
  }
  const cases: readonly Case[] = [
    {
      lacks: 'the plugin',
      missing: 'the plugin @acme/kit-plugin-echo ^1.0.0 is not installed',
      dir: plain,
      start: { env: unplugged.env },
    },
    {
      lacks: 'the version of the plugin',
      missing: 'the plugin @acme/kit-plugin-echo ^1.0.0 is needed, and 0.9.0 is installed',
      start: { env: outdated.env },
    },
    {
      lacks: 'the spec of the adapter',
      missing: `the adapter own with the digest ${shown(digest)} is needed, and the one that is there has ${shown(otherDigest)}`,
      dir: changed,
    },
    {
      lacks: 'the approval of the adapter',
      missing: `the adapter own with the digest ${shown(digest)} is not there, or nobody approved it here`,
      start: { env: strange.env },
    },
    {
      lacks: 'the class',
      missing: 'it is of the class harness, and only the class model is claimed',
      argv: ['--class', 'model'],
    },
    {
      lacks: 'the workspace',
      missing: 'it is one of the workspace work, and this is elsewhere',
      dir: elsewhere,
      accepts: { dir: elsewhere, start: {} },
    },
    {
      lacks: 'the engine',
      missing: `it goes on with kit engine ${build.engine - 1}, and this is engine ${build.engine}`,
      start: build,
      accepts: { dir, start: build },
    },
  ];
  for (const { lacks, missing, start = {}, argv = [], accepts, ...more } of cases) {
    const entry = accepts === undefined ? api : await fleet.by(accepts.start).api(accepts.dir);
    const worker = await fleet.by(start).worker(more.dir ?? dir, ...argv, '--json');
    const startedMs = performance.now();

    // It does what it can, twice; the older run is before its eyes.
    fleet.model.hold();
    const first = (await ask(entry, '/run/talk', { input: 'hi' })).body.id;
    await fleet.model.held();
    const [stats, checkpoints] = await Promise.all([
      fleet.world.here(['queue-stats', dir, '--json'], { env: fleet.env }),
      fleet.world.here(['checkpoints', dir, '--json'], { env: fleet.env }),
    ]);
    fleet.model.release();
    await until(entry, first, 'completed');
    const second = (await ask(entry, '/run/talk', { input: 'hi' })).body.id;
    await until(entry, second, 'completed');
    await vi.waitUntil(() => performance.now() - startedMs > POLLS * POLL_MS, WAIT);

    expect([lacks, lastOf(stats).blocked]).toEqual([
      lacks,
      [{ jobs: 1, job_class: 'harness', engine: build.engine - 1, missing: [missing], example: queued }],
    ]);
    expect([lacks, lastOf(checkpoints).checkpoints]).toMatchObject([
      lacks,
      [{ id: stopped, status: 'stopped', blocked: null, blocked_in_fleet: missing }],
    ]);
    worker.child.kill('SIGTERM');
    const ended = await worker.ended;
    const claimed = linesOf(ended.stdout).flatMap(({ type, job_id }) => (type === 'claimed' ? [job_id] : []));
    expect([lacks, ended.code, claimed]).toEqual([lacks, 0, [first, second]]);
    expect([lacks, await rows()]).toEqual([lacks, before]);
  }

  expect((await ask(api, `/jobs/${stopped}/resume`, {})).body).toMatchObject({ status: 'queued' });
  const complete = await fleet.worker(dir, '--json');
  for (const id of [stopped, queued])
    expect(await until(api, id, 'completed')).toMatchObject({ attempt: 1, output: 'all done' });
  expect(lastOf(await fleet.world.here(['queue-stats', dir, '--json'], { env: fleet.env })).blocked).toEqual([]);
  const events = await fleet.database.query(
    "SELECT job_id FROM kit.events WHERE type = 'executor.result' AND job_id = ANY($1)",
    [[stopped, queued]],
  );
  expect(new Set(events.map(({ job_id }) => job_id))).toEqual(new Set([stopped, queued]));
  expect(complete.child.exitCode).toBeNull();
});
