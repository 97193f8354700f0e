import { createHash } from 'node:crypto';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contribution } from '../../../plugins/artifacts/src/s3.js';
import type { PluginContext } from '../../../src/domain/extension-points.js';
import type { JsonObject } from '../../../src/domain/json.js';
import type { ArtifactBytes } from '../../../src/domain/ports/artifacts.js';
import { createTestContext } from '../../../src/domain/testing.js';
import { createClock } from '../../../src/system/clock.js';
import { artifactLaws } from '../../store/conformance/artifacts.js';
import { type CutWire, openCutWire, startS3, type TestS3 } from '../../support/components/s3.js';
import { openSqliteWorld, type SqliteWorld } from '../../support/store-world.js';

let s3: TestS3;
let wire: CutWire;
beforeAll(async () => {
  s3 = await startS3();
  wire = await openCutWire(s3.endpoint);
});
afterEach(() => wire.allow(Number.POSITIVE_INFINITY));
afterAll(async () => {
  await wire.close();
  await s3.close();
});

const shaOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const LARGE = Uint8Array.from({ length: 3_000_000 }, (_, n) => (n * 7 + n / 256) % 256);
const key = () => ({ AWS_ACCESS_KEY_ID: s3.keyId, AWS_SECRET_ACCESS_KEY: s3.secret });

interface Opening {
  readonly config?: JsonObject;
  readonly env?: Readonly<Record<string, string>>;
  readonly context?: Partial<PluginContext>;
}

async function open({ config = {}, env = key(), context = {} }: Opening = {}): Promise<ArtifactBytes> {
  const settings = { bucket: s3.bucket, endpoint: s3.endpoint, ...config };
  return contribution.create(
    settings,
    createTestContext({ env, fetch: globalThis.fetch, clock: createClock(), ...context }),
  );
}

/** Where the service keeps an object. */
const objectOf = (sha256: string, prefix = 'artifacts'): string =>
  join(s3.directory, s3.bucket, prefix, `${sha256}._S3rver_object`);

/** Everything that a user could be shown of an error. */
const shown = (error: unknown): string => JSON.stringify(error, Object.getOwnPropertyNames(error));

async function failureOf(
  call: Promise<unknown>,
): Promise<{ readonly code: string; readonly message: string; readonly hint: string }> {
  const error = await call.then(
    () => expect.fail('it should have failed'),
    (thrown: unknown) => thrown,
  );
  expect(shown(error)).not.toContain(s3.secret);
  return error as { readonly code: string; readonly message: string; readonly hint: string };
}

describe('artifacts whose bytes lie in S3', () => {
  let world: SqliteWorld;
  let worlds = 0;
  beforeEach(async () => {
    worlds += 1;
    const store = await open({ config: { endpoint: wire.endpoint, prefix: `world-${worlds}/of-bytes` } });
    world = await openSqliteWorld({ artifactBytes: async () => store });
  });
  afterEach(() => world.dispose());

  artifactLaws(() => world);

  it('leave nothing to be seen of an upload that was cut, and are there once it is made again', async () => {
    const { artifacts } = world.stores;
    const artifact = {
      correlation: 'c',
      runId: 'r',
      name: 'large',
      mediaType: 'application/octet-stream',
      bytes: LARGE,
    };
    const cutsBefore = wire.cuts;
    wire.allow(1_000_000);

    const failure = await failureOf(artifacts.put(artifact));

    expect(failure).toMatchObject({
      code: 'KIT_ARTIFACT_STORE',
      message: expect.stringContaining('cannot be reached'),
    });
    expect(wire.cuts - cutsBefore).toBe(3);
    expect(await artifacts.list({ limit: 10 })).toEqual([]);
    expect(await artifacts.find('c/r/large')).toBeNull();
    // What a service that writes in place shows of it is never taken for the artifact.
    await expect(artifacts.read(shaOf(LARGE)).catch((error: { code: string }) => error.code)).resolves.toSatisfy(
      (seen) => seen === null || seen === 'KIT_ARTIFACT_CORRUPT',
    );

    wire.allow(Number.POSITIVE_INFINITY);
    const record = await artifacts.put(artifact);
    expect(Buffer.from((await artifacts.read(record.sha256)) ?? []).equals(LARGE)).toBe(true);
  });

  it('survive a cut that passes: the upload is tried again by itself', async () => {
    const { artifacts } = world.stores;
    wire.allow(1_000_000);
    const cutsBefore = wire.cuts;
    const putting = artifacts.put({
      correlation: 'c',
      runId: 'r',
      name: 'large',
      mediaType: 'text/plain',
      bytes: LARGE,
    });
    await expect.poll(() => wire.cuts, { interval: 5 }).toBeGreaterThan(cutsBefore);
    wire.allow(Number.POSITIVE_INFINITY);

    expect(await putting).toMatchObject({ sha256: shaOf(LARGE), sizeBytes: LARGE.byteLength });
  });

  it('are not given out when somebody has changed them in the bucket, and say when they are gone', async () => {
    const { artifacts } = world.stores;
    const bytes = Buffer.from('reviewed');
    const { sha256 } = await artifacts.put({ correlation: 'c', runId: 'r', name: 'n', mediaType: 'text/plain', bytes });
    const object = objectOf(sha256, `world-${worlds}/of-bytes`);

    await writeFile(object, 'replaced');
    await expect(artifacts.read(sha256)).rejects.toMatchObject({ code: 'KIT_ARTIFACT_CORRUPT', exitCode: 1 });
    await rm(object);
    expect(await artifacts.read(sha256)).toBeNull();
  });
});

describe('the artifact store s3', () => {
  const bytes = Buffer.from('a draft');
  const calls = (store: ArtifactBytes): readonly (() => Promise<unknown>)[] => [
    () => store.put(shaOf(bytes), bytes),
    () => store.get(shaOf(bytes)),
  ];

  it('keeps an object by its digest, below the prefix, and does not send it twice', async () => {
    const store = await open();
    await store.put(shaOf(bytes), bytes);
    const { mtimeMs } = await stat(objectOf(shaOf(bytes)));

    await store.put(shaOf(bytes), bytes);

    expect((await stat(objectOf(shaOf(bytes)))).mtimeMs).toBe(mtimeMs);
    expect(Buffer.from((await store.get(shaOf(bytes))) ?? []).equals(bytes)).toBe(true);
  });

  it('takes an empty prefix: the object is the digest alone', async () => {
    const store = await open({ config: { prefix: '' } });
    await store.put(shaOf(bytes), bytes);

    expect((await stat(objectOf(shaOf(bytes), '.'))).size).toBe(bytes.byteLength);
  });

  it('sends an object of another length again: an upload was cut there', async () => {
    const store = await open({ config: { prefix: 'cut' } });
    await store.put(shaOf(bytes), bytes);
    await writeFile(objectOf(shaOf(bytes), 'cut'), 'a dr');

    await store.put(shaOf(bytes), bytes);

    expect(Buffer.from((await store.get(shaOf(bytes))) ?? []).toString()).toBe('a draft');
  });

  const wrongKeys = (): readonly Readonly<Record<string, string>>[] => [
    { ...key(), AWS_ACCESS_KEY_ID: 'SOMEBODYELSESKEY' },
    { ...key(), AWS_SECRET_ACCESS_KEY: 'not-the-secret' },
  ];

  it.each([
    ['an id that the service does not know', 0],
    ['a secret that does not fit', 1],
  ])('says that the service refuses %s', async (_, index) => {
    const env = wrongKeys()[index] ?? {};

    for (const call of calls(await open({ env }))) {
      const failure = await failureOf(call());
      expect(failure).toMatchObject({
        code: 'KIT_ARTIFACT_STORE',
        exitCode: 2,
        hint: expect.stringContaining('Check the key'),
      });
      expect(failure.message).toMatch(/refuses the key for bucket results: 403/);
      expect(shown(failure)).not.toContain(env.AWS_SECRET_ACCESS_KEY);
    }
  });

  it('says that there is no such bucket, for what is put and for what is got', async () => {
    for (const call of calls(await open({ config: { bucket: 'elsewhere' } }))) {
      expect(await failureOf(call())).toMatchObject({
        code: 'KIT_ARTIFACT_STORE',
        message: expect.stringContaining('there is no bucket elsewhere'),
        hint: expect.stringContaining('storage.artifacts.bucket'),
      });
    }
  });

  it('says that nothing answers there', async () => {
    for (const call of calls(await open({ config: { endpoint: 'http://127.0.0.1:1' } }))) {
      expect(await failureOf(call())).toMatchObject({
        code: 'KIT_ARTIFACT_STORE',
        message: expect.stringContaining('127.0.0.1:1 cannot be reached'),
      });
    }
  });

  it.each([
    ['there is no key', {}, /AWS_ACCESS_KEY_ID is not set/],
    ['half of it is missing', { AWS_ACCESS_KEY_ID: 'ID' }, /AWS_SECRET_ACCESS_KEY is not set/],
    [
      'it is a temporary one',
      { AWS_ACCESS_KEY_ID: 'ID', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' },
      /AWS_SESSION_TOKEN/,
    ],
  ])('sends nothing when %s', async (_, env, message) => {
    const fetch = () => expect.fail('nothing may be sent');

    for (const call of calls(await open({ env, context: { fetch } }))) {
      expect(await failureOf(call())).toMatchObject({
        code: 'KIT_ARTIFACT_STORE',
        message: expect.stringMatching(message),
      });
    }
  });

  it('takes the key of named credentials at each call, so that a rotated one works without a restart', async () => {
    const values: Record<string, string> = { id: s3.keyId, secret: 'the old secret' };
    const secrets = {
      credential: async (ref: string) => values[ref] ?? expect.fail(ref),
      env: () => null,
    };
    const store = await open({
      config: { access_key_ref: 'id', secret_key_ref: 'secret', region: 'eu-central-1' },
      context: { secrets },
    });
    await expect(store.put(shaOf(bytes), bytes)).rejects.toMatchObject({ code: 'KIT_ARTIFACT_STORE' });

    values.secret = s3.secret;

    await store.put(shaOf(bytes), bytes);
  });

  it.each([
    [307, { location: 'https://elsewhere.example/' }, 'the bucket lies elsewhere'],
    [400, {}, 'the bucket lies elsewhere'],
    [503, {}, 'Wait until'],
  ])('follows no redirect and says what a status %d means', async (status, headers, hint) => {
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      asked.push(`${init?.redirect} ${new URL(String(input)).host}`);
      return new Response(null, { status, headers });
    };
    const clock = {
      now: () => 0,
      sleep: (ms: number) => (ms < 5_000 ? Promise.resolve() : new Promise<never>(() => undefined)),
    };

    for (const call of calls(await open({ context: { fetch, clock } }))) {
      expect(await failureOf(call())).toMatchObject({
        code: 'KIT_ARTIFACT_STORE',
        hint: expect.stringContaining(hint),
      });
    }
    expect(new Set(asked)).toEqual(new Set([`manual ${new URL(s3.endpoint).host}`]));
  });

  it('gives up on a service that does not begin to answer, without trying again', async () => {
    let asked = 0;
    const fetch: typeof globalThis.fetch = (_input, init) => {
      asked += 1;
      return new Promise((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
      );
    };
    const waits: number[] = [];
    const clock = {
      now: () => 0,
      sleep: async (ms: number) => void waits.push(ms),
    };

    const store = await open({ context: { fetch, clock } });

    expect(await failureOf(store.get(shaOf(bytes)))).toMatchObject({
      message: expect.stringContaining('did not answer in time'),
    });
    expect(asked).toBe(1);
    expect(waits).toEqual([30_000]);
  });
});
