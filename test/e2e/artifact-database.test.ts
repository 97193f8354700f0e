import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/components/postgres.js';
import { type CutProxy, openCutProxy } from '../support/cut-proxy.js';
import { gated } from './review/gated-workspace.js';
import { talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

const BYTES = 'artifacts: { backend: postgres, database_url: "${BYTES_URL}" }';
const PLACES = {
  local: `storage: { ${BYTES} }\n`,
  server: `storage: { runtime: { backend: postgres, url: "\${RUNS_URL}" }, ${BYTES} }\n`,
} as const;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

let [runs, bytes]: TestDatabase[] = [];
let line: CutProxy;
beforeEach(async () => {
  [runs, bytes] = await Promise.all([createDatabase(), createDatabase()]);
  line = await openCutProxy(bytes.url);
});
afterEach(async () => {
  await line.close();
  await Promise.all([runs?.drop(), bytes?.drop()]);
});

const here = (...argv: readonly string[]) =>
  world.here([...argv], { env: { RUNS_URL: runs?.url, BYTES_URL: line.url } });
const kept = async () =>
  (await bytes?.query<{ sha256: string }>('SELECT sha256 FROM kit_artifacts.bytes'))?.map(({ sha256 }) => sha256) ?? [];

function workspace(name: string, storage: string): string {
  const signed = gated();
  const of = (path: string): string => signed[path] ?? '';
  return world.files(
    name,
    talk({
      workspace: storage,
      root: '    funnel: sign-off\n',
      files: {
        'funnels/sign-off.yaml': of('funnels/sign-off.yaml'),
        'roles/people.yaml': of('roles/people.yaml'),
      },
    }),
  );
}

describe.each(['local', 'server'] as const)('artifacts in a database of their own beside runs (%s)', (place) => {
  it('lie there alone, are read and signed from there, and a database that is away fails no run', {
    timeout: 120_000,
  }, async () => {
    const dir = workspace(`bytes-${place}`, PLACES[place]);
    const run = await here('run', dir, 'talk', '--input', 'hi', '--as', 'dana', '--json');
    expect(run.code, run.stderr).toBe(3);
    const id = String(lastOf(run).run_id ?? lastOf(run).id);

    const listed = lastOf(await here('artifacts', 'list', dir, '--json')).artifacts as readonly {
      readonly ref: string;
      readonly sha256: string;
    }[];
    expect(await kept()).toEqual([...new Set(listed.map(({ sha256 }) => sha256))]);
    const ref = listed[0]?.ref ?? '';
    const read = await here('artifacts', 'get', ref, '-w', dir);
    expect([read.code, read.stdout]).toEqual([0, expect.stringMatching(/./)]);
    expect(lastOf(await here('storage', 'status', dir, '--json'))).toMatchObject({
      stores: expect.arrayContaining([
        expect.objectContaining({
          store: 'artifacts',
          backend: 'postgres',
          source: 'storage.artifacts',
          setting: 'storage.artifacts.database_url',
        }),
      ]),
    });

    // Nobody signs what cannot be read.
    line.set('cut');
    const blind = await here('review', 'resolve', `mpa-${id}:boss-0-qa`, dir, '--as', 'qa-1', '--approve');
    expect(blind.code).not.toBe(0);
    line.set('whole');

    for (const role of ['qa', 'ops']) {
      const item = `mpa-${id}:boss-0-${role}`;
      const decided = await here('review', 'resolve', item, dir, '--as', `${role}-1`, '--approve', '--no-resume');
      expect(decided.code, decided.stderr).toBe(0);
    }
    const done = await here('run', dir, 'talk', `--resume=${id}`);
    expect(done.code, done.stderr).toBe(0);

    // A run that cannot put its artifact is not a failed run.
    line.set('cut');
    const away = await here('run', dir, 'talk', '--input', 'hi', '--as', 'dana');
    expect([away.code, away.stderr]).toEqual([2, expect.stringContaining('--resume')]);
    // Which of the databases it was, and the setting that names it.
    expect(away.stderr).toMatch(/KIT_STORE_UNAVAILABLE.*cannot be reached.*storage\.artifacts\.database_url/s);
    expect(away.stderr).not.toContain('journal');
    line.set('whole');
    const [, other = ''] = /--resume=([0-9a-f]{12})/.exec(away.stderr) ?? [];
    const parked = await here('run', dir, 'talk', `--resume=${other}`);
    expect(parked.code, parked.stderr).toBe(3);
  });
});
