import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contribution } from '../../plugins/artifacts/src/s3.js';
import { NO_FAULTS } from '../../src/domain/faults.js';
import type { ArtifactRecord, NewArtifact } from '../../src/domain/ports/artifacts.js';
import { createTestContext } from '../../src/domain/testing.js';
import { openSqliteStores, type SqliteStoreOptions } from '../../src/store/sqlite/open-sqlite-stores.js';
import { createClock } from '../../src/system/clock.js';
import { createIds } from '../../src/system/ids.js';
import { processStartOf, readWorkerHost } from '../../src/system/worker-host.js';
import { kitInTerminal, openTerminal } from '../support/components/pseudo-terminal.js';
import { startS3, type TestS3 } from '../support/components/s3.js';
import type { KitResult } from '../support/kit-process.js';
import { SILENT } from '../support/store-world.js';
import { talk } from './workspaces.js';
import { lastOf, makeWorld, type World } from './world.js';

const EVERY_BYTE = Uint8Array.from({ length: 300_000 }, (_, n) => n % 256);

let world: World;
/** A workspace with a run and artifacts; one of its other files is broken. */
let dir: string;
let run: string;
let first: ArtifactRecord;
let second: ArtifactRecord;
let binary: ArtifactRecord;

const kit = (...argv: string[]): Promise<KitResult> => world.here(argv);

/** Puts artifacts into the store of a workspace, as its runs would. */
async function put(
  directory: string,
  artifacts: readonly Partial<NewArtifact>[],
  more: Partial<SqliteStoreOptions> = {},
): Promise<readonly ArtifactRecord[]> {
  const clock = createClock();
  const stores = await openSqliteStores({
    stateDir: join(directory, '.kit'),
    clock,
    ids: createIds(readWorkerHost()),
    faults: NO_FAULTS,
    log: SILENT,
    processStartOf,
    ...more,
  });
  const records: ArtifactRecord[] = [];
  for (const artifact of artifacts) {
    records.push(
      await stores.artifacts.put({
        correlation: 'release-7',
        runId: run,
        name: 'notes',
        mediaType: 'text/markdown',
        bytes: new Uint8Array(),
        ...artifact,
      }),
    );
  }
  await stores.close();
  return records;
}

function taken<T>(values: readonly T[], index: number): T {
  return values[index] ?? expect.fail(`there is no value ${index}`);
}

beforeAll(async () => {
  world = await makeWorld();
  dir = world.files('ran', talk());
  run = String(lastOf(await kit('run', dir, 'talk', '--input', 'hello', '--json')).id);
  const records = await put(dir, [
    { bytes: Buffer.from('# the first draft\n') },
    { bytes: Buffer.from('# the second draft, ünïcode\n') },
    { correlation: '', name: 'a/b %#', mediaType: 'application/octet-stream', bytes: EVERY_BYTE },
  ]);
  [first, second, binary] = [taken(records, 0), taken(records, 1), taken(records, 2)];
  writeFileSync(join(dir, 'topologies/talk.yaml'), 'agents: [');
});
afterAll(() => world.dispose());

describe('kit artifacts list', () => {
  it('shows refs with their digests, newest first, one a line', async () => {
    const { code, stdout } = await kit('artifacts', 'list', dir);

    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^REF +SIZE +TYPE +CREATED$/);
    expect(lines.slice(1).map((line) => line.split(/ {2,}/)[0])).toEqual([
      `${run}/${run}/a%2Fb %25%23#${binary.sha256.slice(0, 12)}`,
      `release-7/${run}/notes#${second.sha256.slice(0, 12)}`,
      `release-7/${run}/notes#${first.sha256.slice(0, 12)}`,
    ]);
  });

  it('narrows to a correlation, by its place or its flag, and to a run', async () => {
    const refs = async (...argv: string[]) => lastOf(await kit('artifacts', 'list', ...argv, '--json')).refs;
    const notes = `release-7/${run}/notes`;

    expect(await refs('release-7', dir)).toEqual([notes, notes]);
    expect(await refs('--correlation-id', 'release-7', '-w', dir)).toEqual([notes, notes]);
    expect(await refs(dir, '--run-id', run.slice(0, 6))).toEqual([binary.ref, notes, notes]);
    expect(await refs('release-7', dir, '-n', '1')).toEqual([notes]);
    expect(await refs('nobody', dir)).toEqual([]);
  });

  it('says everything that is known of each with --json', async () => {
    const result = await kit('artifacts', 'list', '-w', dir, '-n', '2', '--json');

    expect(lastOf(result)).toMatchObject({
      type: 'result',
      correlation_id: null,
      artifacts: [
        {
          ref: binary.ref,
          correlation_id: null,
          run_id: run,
          name: 'a/b %#',
          sha256: binary.sha256,
          media_type: 'application/octet-stream',
          size_bytes: 300_000,
          created_at: binary.createdAt,
        },
        { ref: second.ref },
      ],
    });
  });

  it('of a workspace that never ran anything says so and makes no store', async () => {
    const fresh = world.files('fresh', talk());

    expect(await kit('artifacts', 'list', fresh)).toMatchObject({ code: 0, stdout: 'there are no artifacts\n' });
    expect(lastOf(await kit('artifacts', 'list', fresh, '--json'))).toEqual({
      type: 'result',
      correlation_id: null,
      refs: [],
      artifacts: [],
    });
    expect(existsSync(join(fresh, '.kit'))).toBe(false);
  });

  it.each([
    ['a run that is not there', () => ['--run-id', 'ffffff', '-w', dir], 'KIT_JOB_UNKNOWN'],
    ['a directory without a workspace', () => ['-w', world.base], 'KIT_WORKSPACE_NOT_FOUND'],
    ['no number of lines', () => ['-n', '0', '-w', dir], 'KIT_USAGE'],
  ])('refuses %s with exit 2', async (_, argv, code) => {
    const result = await kit('artifacts', 'list', ...argv(), '--json');

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({ type: 'error', code });
  });
});

describe('kit artifacts get', () => {
  it('gives the newest version by a bare ref, each by its digest, and adds nothing', async () => {
    const get = (ref: string) => kit('artifacts', 'get', ref, dir);

    expect(await get(first.ref)).toMatchObject({ code: 0, stdout: '# the second draft, ünïcode\n', stderr: '' });
    expect(await get(`${first.ref}#${first.sha256.slice(0, 12)}`)).toMatchObject({
      code: 0,
      stdout: '# the first draft\n',
    });
    expect(await get(`${first.ref}#${first.sha256}`)).toMatchObject({ code: 0, stdout: '# the first draft\n' });
  });

  it('writes the bytes of a file as they were, through a pipe and with --output', async () => {
    const piped = join(world.base, 'piped');
    const shell = openTerminal(
      'sh',
      [
        '-c',
        `"$0" "$1" artifacts get "$2" -w "$3" > ${piped}`,
        process.execPath,
        join(process.cwd(), 'bin/kit.js'),
        binary.ref,
        dir,
      ],
      { cwd: world.base, env: world.env },
    );
    expect(await shell.ended).toBe(0);
    expect(readFileSync(piped).equals(EVERY_BYTE)).toBe(true);

    const file = join(world.base, 'named.bin');
    expect(await kit('artifacts', 'get', binary.ref, dir, '-o', 'named.bin')).toMatchObject({
      code: 0,
      stdout: `${file}\n`,
    });
    expect(readFileSync(file).equals(EVERY_BYTE)).toBe(true);
  });

  it('replaces no file unless it is told to', async () => {
    const file = join(world.base, 'mine.txt');
    writeFileSync(file, 'mine');

    const refused = await kit('artifacts', 'get', first.ref, dir, '-o', file, '--json');
    expect([refused.code, lastOf(refused)]).toMatchObject([
      2,
      { code: 'KIT_USAGE', hint: expect.stringContaining('--force') },
    ]);
    expect(readFileSync(file, 'utf8')).toBe('mine');

    const forced = await kit('artifacts', 'get', first.ref, dir, '-o', file, '--force', '--json');
    expect(lastOf(forced)).toMatchObject({ type: 'result', ref: first.ref, sha256: second.sha256, file });
    expect(statSync(file).size).toBe(second.sizeBytes);
  });

  it('has text as text and everything else as base64 in JSON', async () => {
    const text = lastOf(await kit('artifacts', 'get', first.ref, dir, '--json'));
    const bytes = lastOf(await kit('artifacts', 'get', binary.ref, dir, '--json'));

    expect(text).toMatchObject({ ref: first.ref, content: '# the second draft, ünïcode\n', length: second.sizeBytes });
    expect(text).not.toHaveProperty('encoding');
    expect(bytes).toMatchObject({ encoding: 'base64', length: 300_000, media_type: 'application/octet-stream' });
    expect(Buffer.from(String(bytes.content), 'base64').equals(EVERY_BYTE)).toBe(true);
  });

  it('shows text on a terminal, and asks for a file where the terminal would obey it', async () => {
    const [obeyed] = await put(dir, [
      { name: 'escape', mediaType: 'text/plain', bytes: Buffer.from('a\u001b]0;title\u0007b') },
    ]);
    const shown = async (ref: string) => {
      const terminal = kitInTerminal(['artifacts', 'get', ref, '-w', dir], {
        cwd: world.base,
        env: world.env,
        columns: 120,
      });
      return { code: await terminal.ended, raw: terminal.raw() };
    };

    expect(await shown(first.ref)).toMatchObject({
      code: 0,
      raw: expect.stringContaining('# the second draft, ünïcode'),
    });
    for (const { ref } of [binary, obeyed ?? expect.fail('no record')]) {
      const { code, raw } = await shown(ref);
      expect(code).toBe(2);
      expect(raw).toContain('--output FILE');
      expect(raw).not.toContain('\u001b]0;');
    }
  });

  it.each([
    ['a ref that is near to another', () => `release-7/${run}/note`, () => `Did you mean release-7/${run}/notes?`],
    [
      'a version that is not there',
      () => `${first.ref}#000000000000`,
      () => `The newest one is ${first.ref}#${second.sha256.slice(0, 12)}`,
    ],
    ['what is not a ref', () => 'notes', () => 'kit artifacts list'],
    ['a path', () => '../../etc/passwd', () => 'kit artifacts list'],
  ])('refuses %s with exit 2 and says what to type', async (_, ref, hint) => {
    const result = await kit('artifacts', 'get', ref(), dir, '--json');

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({
      type: 'error',
      code: 'KIT_ARTIFACT_UNKNOWN',
      hint: expect.stringContaining(hint()),
    });
  });

  it('gives nothing out that was changed in the store', async () => {
    const [record] = await put(dir, [{ name: 'signed', bytes: Buffer.from('reviewed') }]);
    const { sha256 } = record ?? expect.fail('no record');
    writeFileSync(join(dir, '.kit/blobs', sha256.slice(0, 2), sha256), 'replaced');

    const result = await kit('artifacts', 'get', `release-7/${run}/signed`, dir, '--json');

    expect([result.code, lastOf(result)]).toMatchObject([1, { code: 'KIT_ARTIFACT_CORRUPT' }]);
    expect(result.stdout).not.toContain('replaced');
  });
});

describe('a workspace whose artifacts lie in S3', () => {
  let s3: TestS3;
  let place: string;
  let record: ArtifactRecord;
  const storage = (bucket: string, endpoint: string) => `credentials:
  bucket-id: { source: env, config: { env: BUCKET_ID } }
  bucket-secret: { source: env, config: { env: BUCKET_SECRET } }
storage:
  artifacts: { backend: s3, bucket: ${bucket}, endpoint: "${endpoint}", access_key_ref: bucket-id, secret_key_ref: bucket-secret }
`;
  const get = (over: NodeJS.ProcessEnv = {}, directory = place): Promise<KitResult> =>
    world.here(['artifacts', 'get', record.ref, directory, '--json'], {
      env: { BUCKET_ID: s3.keyId, BUCKET_SECRET: s3.secret, ...over },
    });

  beforeAll(async () => {
    s3 = await startS3();
    place = world.files('in-s3', talk({ workspace: storage(s3.bucket, s3.endpoint) }));
    const env = { AWS_ACCESS_KEY_ID: s3.keyId, AWS_SECRET_ACCESS_KEY: s3.secret };
    const store = await contribution.create(
      { bucket: s3.bucket, endpoint: s3.endpoint },
      createTestContext({ env, fetch: globalThis.fetch, clock: createClock() }),
    );
    record = taken(
      await put(place, [{ bytes: EVERY_BYTE, mediaType: 'application/zip' }], { artifactBytes: async () => store }),
      0,
    );
  });
  afterAll(() => s3.close());

  it('lists them without the service and gets them from it', async () => {
    const list = await world.here(['artifacts', 'list', place, '--json']);
    const got = await get();

    expect(lastOf(list).refs).toEqual([record.ref]);
    expect(existsSync(join(place, '.kit/blobs', record.sha256.slice(0, 2)))).toBe(false);
    expect(got).toMatchObject({ code: 0 });
    expect(Buffer.from(String(lastOf(got).content), 'base64').equals(EVERY_BYTE)).toBe(true);
  });

  it.each([
    [
      'the service refuses the key',
      () => get({ BUCKET_SECRET: 'another-secret-of-somebody' }),
      'KIT_ARTIFACT_STORE',
      'refuses the key',
    ],
    ['a credential leads nowhere', () => get({ BUCKET_ID: '' }), 'KIT_CREDENTIAL_UNRESOLVED', 'BUCKET_ID'],
    [
      'there is no such bucket',
      () => get({}, withStorage('elsewhere', s3.endpoint)),
      'KIT_ARTIFACT_STORE',
      'there is no bucket elsewhere',
    ],
    [
      'nothing answers there',
      () => get({}, withStorage(s3.bucket, 'http://127.0.0.1:1')),
      'KIT_ARTIFACT_STORE',
      'cannot be reached',
    ],
    [
      'the address holds a password',
      () => get({}, withStorage(s3.bucket, 'http://me:hidden@127.0.0.1:1')),
      'KIT_PLUGIN_CONFIG_INVALID',
      'endpoint',
    ],
  ])('says with exit 2 that %s, and shows no secret', async (_, call, code, message) => {
    const result = await call();

    expect(result.code).toBe(2);
    expect(lastOf(result)).toMatchObject({ type: 'error', code, message: expect.stringContaining(message) });
    for (const secret of [s3.secret, 'another-secret-of-somebody', 'hidden'])
      expect(result.stdout + result.stderr).not.toContain(secret);
  });

  /** The same store, with other settings. */
  function withStorage(bucket: string, endpoint: string): string {
    writeFileSync(
      join(place, 'workspace.yaml'),
      talk({ workspace: storage(bucket, endpoint) })['workspace.yaml'] ?? '',
    );
    return place;
  }
});
