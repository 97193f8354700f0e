import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTenAgentsModel, tenAgents } from '../support/cassette/ten-agents.js';
import type { KitResult } from '../support/kit-process.js';
import { startModelServer } from '../support/model-server.js';
import { startLeaderServer } from './leader-server.js';
import { makeRepositoryIn } from './repository.js';
import { localProvider, talk } from './workspaces.js';
import { eventsOf, lastOf, makeWorld, type World } from './world.js';

const TOKEN = 'planted-token-4f1b9c/+';
const KEY = 'planted-key-77a0de';
const FORMS = [TOKEN, KEY].flatMap((secret) => {
  const base64 = Buffer.from(secret).toString('base64');
  return [secret, base64, base64.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(secret)];
});
/** A server that is gone, and no program on PATH: kit itself is started by its absolute path. */
const NOTHING = { MODEL_URL: 'http://127.0.0.1:9/v1', PATH: '/nonexistent' };

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const jobsOf = async (dir: string): Promise<number> => {
  if (!existsSync(join(dir, '.kit', 'store.sqlite'))) return 0;
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(join(dir, '.kit', 'store.sqlite'), { readonly: true });
  try {
    return Number(db.prepare('SELECT count(*) AS n FROM jobs').pluck().get());
  } finally {
    db.close();
  }
};

/** Who did what, agent by agent, without times. */
const shapeOf = (result: KitResult): readonly string[] =>
  eventsOf(result)
    .map(
      ({ type, agent, payload }) =>
        `${agent} ${type} ${payload.status ?? ''} ${payload.reason ?? ''} ${payload.retries ?? ''} ${payload.input_tokens ?? ''}`,
    )
    .sort();

describe('kit run --record and --replay', () => {
  it('keep a run of ten agents in a private file without a secret, and give it again with no key, no server and no program', async () => {
    const { root } = makeRepositoryIn(world, 'ten', tenAgents);
    const file = join(world.base, 'ten.cassette');
    const server = await startModelServer(createTenAgentsModel());
    const live = { MODEL_URL: server.url, LOCAL_KEY: KEY, PLANTED: TOKEN };
    const untrusted = await world.kit(['run', root, 'ten', '--input', 'Go', '--record', file, '--json'], { env: live });
    const digest = (lastOf(untrusted).data as { adapters: { digest: string }[] }).adapters[0]?.digest ?? '';

    const isMadeByRefusal = existsSync(file);
    const recorded = await world.kit(
      ['run', root, 'ten', '--input', 'Go', '--record', file, '--json', '--trust', digest],
      { env: live },
    );
    await server.close();
    const home = join(world.base, 'another-home');
    const replayed = await world.kit(['run', root, 'ten', '--replay', file, '--json'], {
      env: { ...NOTHING, HOME: home, XDG_CONFIG_HOME: home },
    });

    expect([untrusted.code, isMadeByRefusal]).toEqual([2, false]);
    expect([recorded.code, recorded.stderr]).toEqual([0, '']);
    expect([replayed.code, replayed.stderr]).toEqual([0, '']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(file, 'utf8');
    for (const form of FORMS)
      for (const text of [bytes, recorded.stdout, replayed.stdout])
        expect([form, text.includes(form)]).toEqual([form, false]);
    expect(bytes).toContain('[MASKED]');
    expect(shapeOf(replayed)).toEqual(shapeOf(recorded));
    const { usage, output, diff_length } = lastOf(recorded);
    expect(lastOf(recorded)).toMatchObject({ replay: null });
    expect(lastOf(replayed)).toMatchObject({
      status: 'completed',
      usage,
      output,
      diff_length,
      replay: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(existsSync(home)).toBe(false);
    expect(world.leftovers()).toEqual([]);
  });

  it('name the first difference when the work was changed, fail with replay.miss, and ask nobody', async () => {
    const { dir, file, env, server } = await recordTalk('changed');
    const asked = server.asked().length;
    world.files('changed', {
      'topologies/talk.yaml': readFileSync(join(dir, 'topologies/talk.yaml'), 'utf8').replace(
        'You help.',
        'You help. Briefly.',
      ),
    });

    const result = await world.here(['run', dir, 'talk', '--replay', file, '--json'], { env });
    await server.close();

    expect(result.code).toBe(1);
    expect(lastOf(result)).toMatchObject({
      status: 'failed',
      reason: 'replay.miss',
      error: expect.stringContaining('/messages/0/parts/0/text'),
    });
    expect(lastOf(result).error).toContain('asked');
    expect(server.asked()).toHaveLength(asked);
  });

  it('leave a run that nobody goes on with in earnest', async () => {
    const { dir, file, env, server } = await recordTalk('stopped');
    const { default: Database } = await import('better-sqlite3');
    const replayed = await world.here(['run', dir, 'talk', '--replay', file, '--json'], { env });
    await server.close();
    const id = String(lastOf(replayed).id);
    // As a stop before its end leaves it.
    const db = new Database(join(dir, '.kit', 'store.sqlite'));
    db.prepare("UPDATE jobs SET status = 'stopped' WHERE id = ?").run(id);
    db.close();

    const resumed = await world.here(['run', dir, `--resume=${id}`, '--json'], { env });
    const listed = await world.here(['checkpoints', '-w', dir], { env });

    expect(resumed.code).toBe(2);
    expect(lastOf(resumed)).toMatchObject({
      code: 'KIT_JOB_NOT_RESUMABLE',
      message: expect.stringContaining('replays the cassette'),
    });
    expect(listed.stdout).toContain('a replay begins anew');
  });

  it('leave a cut file when the process is killed in the middle, which a replay refuses', async () => {
    const server = await startLeaderServer();
    const dir = world.files('killed', talk({ provider: 'local', files: { 'providers/local.yaml': localProvider } }));
    const file = join(world.base, 'killed.cassette');
    const env = { MODEL_URL: server.url, LOCAL_KEY: KEY };
    server.hold();
    const live = world.start(['run', dir, 'talk', '--input', 'hi', '--record', file], { env });
    await server.held();
    live.child.kill('SIGKILL');
    await live.ended;
    server.release();
    const jobs = await jobsOf(dir);

    const result = await world.here(['run', dir, 'talk', '--replay', file, '--json'], { env });
    await server.close();

    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).type)).toContain('answer');
    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({ code: 'KIT_CASSETTE_CUT', message: expect.stringContaining('1 answers') });
    expect(await jobsOf(dir)).toBe(jobs);
  });
});

describe('a replay that cannot begin', () => {
  it('is refused with exit 2 and a fix, and nothing is written', async () => {
    const { dir, file, env, server } = await recordTalk('refusing');
    await server.close();
    const other = world.files('other', {
      ...talk(),
      'workspace.yaml':
        'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: other, name: Other }\nmemory: { enabled: false }\n',
    });
    world.files('refusing', {
      'topologies/two.yaml': readFileSync(join(dir, 'topologies/talk.yaml'), 'utf8').replace('name: talk', 'name: two'),
    });
    world.files('refusing', {
      'topologies/later.yaml': readFileSync(join(dir, 'topologies/talk.yaml'), 'utf8').replace('1.0.0', '1.1.0'),
    });
    const text = readFileSync(file, 'utf8');
    world.files('.', {
      'newer.cassette': text.replace(/"format":\d+/, '"format":99'),
      'cut.cassette': text.slice(0, -30),
      'none.cassette': 'hello\n',
    });
    const at = (name: string): string => join(world.base, name);
    const before = [await jobsOf(dir), readdirSync(world.base).sort().join()];

    const rows: readonly (readonly [string, string, readonly string[]])[] = [
      ['another topology', 'KIT_CASSETTE_MISMATCH', ['run', dir, 'two', '--replay', file]],
      ['another version', 'KIT_CASSETTE_MISMATCH', ['run', dir, 'talk', '--replay', file]],
      ['another workspace', 'KIT_CASSETTE_MISMATCH', ['run', other, 'talk', '--replay', file]],
      ['a newer format', 'KIT_CASSETTE_NEWER', ['run', dir, 'talk@1.0.0', '--replay', at('newer.cassette')]],
      ['a cut file', 'KIT_CASSETTE_CUT', ['run', dir, 'talk@1.0.0', '--replay', at('cut.cassette')]],
      ['no cassette', 'KIT_CASSETTE_INVALID', ['run', dir, 'talk@1.0.0', '--replay', at('none.cassette')]],
      ['no file', 'KIT_CASSETTE_INVALID', ['run', dir, 'talk@1.0.0', '--replay', at('absent.cassette')]],
      ['an unknown topology', 'KIT_TOPOLOGY_UNKNOWN', ['run', dir, 'nobody', '--replay', file]],
      ['a file that is there', 'KIT_USAGE', ['run', other, 'talk', '--input', 'x', '--record', file]],
      ['a directory that is not', 'KIT_USAGE', ['run', other, 'talk', '--input', 'x', '--record', at('absent/x')]],
      ['both at once', 'KIT_USAGE', ['run', dir, 'talk@1.0.0', '--replay', file, '--record', at('x')]],
      ['a recorded resume', 'KIT_USAGE', ['run', dir, '--resume', '--record', at('x')]],
      ['a replayed resume', 'KIT_USAGE', ['run', dir, '--resume', '--replay', file]],
      [
        'an approval of what is not started',
        'KIT_USAGE',
        ['run', dir, 'talk@1.0.0', '--replay', file, '--trust', 'abc'],
      ],
    ];
    for (const [what, code, argv] of rows) {
      const result = await world.here([...argv, '--json'], { env });
      expect([what, result.code, lastOf(result).code]).toEqual([what, 2, code]);
      expect([what, String(lastOf(result).hint).length > 10]).toEqual([what, true]);
    }

    expect([await jobsOf(dir), readdirSync(world.base).sort().join()]).toEqual(before);
    expect(existsSync(join(other, '.kit', 'store.sqlite'))).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe(text);
  }, 120_000);
});

/** A recorded run of boss and helper; the server stays open, to see who asks. */
async function recordTalk(name: string) {
  const server = await startLeaderServer();
  const dir = world.files(name, talk({ provider: 'local', files: { 'providers/local.yaml': localProvider } }));
  const file = join(world.base, `${name}.cassette`);
  const recorded = await world.here(['run', dir, 'talk', '--input', 'hi', '--record', file], {
    env: { MODEL_URL: server.url, LOCAL_KEY: KEY },
  });
  expect([recorded.code, recorded.stderr.includes('completed')]).toEqual([0, true]);
  return { dir, file, server, env: { MODEL_URL: server.url } };
}
