import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteSkill, talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const UNRESOLVED = 'storage: { audit: { backend: postgres } }\n';

describe('kit storage status', () => {
  it('shows a table, and with --json one document', async () => {
    const dir = world.files('plain', talk());

    const text = await world.here(['storage', 'status', dir]);
    const json = await world.here(['storage', 'status', '-w', dir, '--json']);

    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(/^STORE +BACKEND +LOCATION +DECIDED BY\nruntime +sqlite +workspace-local +default\n/);
    expect(json.code).toBe(0);
    expect(json.lines()).toHaveLength(1);
    expect(lastOf(json)).toMatchObject({
      type: 'result',
      warnings: [],
      stores: expect.arrayContaining([expect.objectContaining({ store: 'fleet' })]),
    });
  });

  it('tells how large the store of the runs is and what is due, and the key that lets a server remove it', async () => {
    const dir = world.files('grown', talk({ provider: 'mock' }));
    expect((await world.here(['run', 'talk', '--input', 'hi', '-w', dir])).code).toBe(0);

    const text = await world.here(['storage', 'status', dir]);
    const json = await world.here(['storage', 'status', dir, '--json']);

    expect(text.stdout).toMatch(/^size \d+\.\d (KiB|MiB) in the database, the oldest run is \d+ (s|min) old$/m);
    expect(text.stdout).toContain(
      'due no run is older than 365 days (default); no server removes old runs: storage.audit.prune_every_hours is not set',
    );
    expect(lastOf(json)).toMatchObject({
      growth: { retention_days: 365, prune_every_hours: null, due: { runs: 0, more: false, bytes: 0 }, error: null },
    });
  });

  it('ends with 2 where a store cannot be had, and shows the others', async () => {
    const dir = world.files('unresolved', talk({ workspace: UNRESOLVED }));

    const { code, stdout } = await world.here(['storage', 'status', dir]);

    expect(code).toBe(2);
    expect(stdout).toMatch(/audit +UNRESOLVED/);
    expect(stdout).toMatch(/runtime +sqlite/);
    expect(stdout).toContain('unresolved audit: storage.audit names postgres, and no URL says where it is');
  });

  it('names the variable that decided, and reads no file beside workspace.yaml', async () => {
    const dir = world.files('moved', { ...talk(), 'topologies/broken.yaml': 'kind: [' });

    const moved = await world.here(['storage', 'status', dir, '--json'], {
      env: { DATABASE_URL: 'postgres://kit:secret-1@db.example/runs' },
    });
    const kept = await world.here(['storage', 'status', dir, '--json'], {
      env: { DATABASE_URL: 'postgres://db/x', KIT_STORE_BACKEND: 'sqlite' },
    });

    expect(lastOf(moved)).toMatchObject({
      stores: expect.arrayContaining([
        {
          store: 'runtime',
          backend: 'postgres',
          location: 'postgres://kit@db.example/runs',
          source: 'env',
          setting: 'DATABASE_URL',
          error: null,
        },
      ]),
    });
    expect(moved.stdout).not.toContain('secret-1');
    expect(lastOf(kept)).toMatchObject({
      stores: expect.arrayContaining([expect.objectContaining({ backend: 'sqlite', setting: 'KIT_STORE_BACKEND' })]),
    });
  });

  it('is refused where there is no workspace', async () => {
    const { code, stderr } = await world.here(['storage', 'status', world.temp]);

    expect(code).toBe(2);
    expect(stderr).toContain('KIT_WORKSPACE_NOT_FOUND');
  });
});

describe('DATABASE_URL and KIT_STORE_BACKEND', () => {
  it('place the runs of kit run too', async () => {
    const dir = world.files('run', talk());
    const run = (env: NodeJS.ProcessEnv) => world.here(['run', dir, 'talk', '--input', 'hi', '--json'], { env });

    const refused = await run({ DATABASE_URL: 'postgres://127.0.0.1:9/runs' });
    const foreign = await run({ DATABASE_URL: 'mysql://root:secret-1@db/app' });
    const local = await run({ DATABASE_URL: 'mysql://root:secret-1@db/app', KIT_STORE_BACKEND: 'sqlite' });

    expect(refused.code).toBe(2);
    expect(lastOf(refused)).toMatchObject({ code: 'KIT_STORE_UNAVAILABLE' });
    expect(foreign.code).toBe(2);
    expect(lastOf(foreign)).toMatchObject({
      code: 'KIT_STORE_UNAVAILABLE',
      hint: expect.stringContaining('KIT_STORE_BACKEND=sqlite'),
    });
    expect(foreign.stdout + foreign.stderr).not.toContain('secret-1');
    expect(local.code).toBe(0);
  });
});

describe('kit system', () => {
  it('shows what is set, all of it with --all, and every command line that a run can start', async () => {
    const dir = world.files('system', talk(noteSkill('[echo, "{text}"]')));
    const env = { KIT_MODEL: 'm1', ANTHROPIC_API_KEY: 'secret-of-a-provider' };

    const text = await world.here(['system', dir], { env });
    const all = await world.here(['system', dir, '--all'], { env });

    expect(text.code).toBe(0);
    for (const line of [
      /KIT_MODEL +m1/,
      /ANTHROPIC_API_KEY +set/,
      /command +notes\/note +echo/,
      /@kit-run\/plugin-run/,
    ])
      expect(text.stdout).toMatch(line);
    expect(text.stdout).not.toContain('KIT_QUIET');
    expect(all.stdout).toMatch(/KIT_QUIET +-/);
    expect(text.stdout + all.stdout).not.toContain('secret-of-a-provider');
  });

  it('ends with 2 where a store cannot be had, and shows everything else', async () => {
    const dir = world.files('system-unresolved', talk({ workspace: UNRESOLVED }));

    const json = await world.here(['system', dir, '--json']);

    expect(json.code).toBe(2);
    expect(lastOf(json)).toMatchObject({ workspace: 'talk', valid: true, launches: [], properties: [] });
  });
});

it('kit comprehension says that there is nothing to judge yet, and makes no store', async () => {
  const dir = world.files('comprehension', talk());

  const json = await world.here(['comprehension', dir, '--json']);

  expect(lastOf(json)).toMatchObject({ verdict: 'unknown', approvals_seen: 0, threshold_seconds: 20 });
  expect((await world.here(['checkpoints', dir])).code).toBe(0);
  expect((await world.here(['comprehension', dir, '--fast-approve-seconds', '0'])).code).toBe(2);
  expect((await world.here(['comprehension', dir, '--since', 'yesterday'])).code).toBe(2);
});

describe('kit agents card', () => {
  it('names the address where a server of these settings is', async () => {
    const rootOf = async (name: string, server: string): Promise<unknown> => {
      const dir = world.files(name, talk({ workspace: server }));
      const shown = await world.here(['agents', 'card', '-w', dir, '--a2a-version', '0.3']);
      return (JSON.parse(shown.stdout) as { readonly url: string }).url;
    };
    const on = 'a2a: { enabled: true }';

    expect(await rootOf('card', `server: { ${on} }\n`)).toBe('http://127.0.0.1:8000/a2a');
    expect(await rootOf('card-port', `server: { port: 9000, ${on} }\n`)).toBe('http://127.0.0.1:9000/a2a');
    expect(await rootOf('card-any', `server: { port: 0, ${on} }\n`)).toBe('http://127.0.0.1:8000/a2a');
    expect(await rootOf('card-public', `server: { public_url: "https://kit.example/", ${on} }\n`)).toBe(
      'https://kit.example/a2a',
    );
  });
});
