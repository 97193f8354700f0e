import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFileStore } from '../../../plugins/artifacts/src/filesystem/store.js';

let base: string;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'kit-artifact-files-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const fresh = () => mkdtemp(join(base, 'store-'));
const filesOf = async (directory: string) =>
  (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

it('keeps bytes as one file of their digest, which nobody else of the machine reads', async () => {
  const directory = join(await fresh(), 'not', 'there', 'yet');
  const bytes = randomBytes(100);
  const store = createFileStore(directory);

  await store.put(sha256(bytes), bytes);
  await store.put(sha256(bytes), bytes);

  expect(await filesOf(directory)).toEqual([sha256(bytes)]);
  const folder = join(directory, sha256(bytes).slice(0, 2));
  expect([(await stat(join(folder, sha256(bytes)))).mode & 0o777, (await stat(folder)).mode & 0o777]).toEqual([
    0o600, 0o700,
  ]);
  expect(Buffer.from((await createFileStore(directory).get(sha256(bytes))) ?? [])).toEqual(bytes);
});

it('replaces a file that was cut off', async () => {
  const directory = await fresh();
  const bytes = randomBytes(100);
  const folder = join(directory, sha256(bytes).slice(0, 2));
  await mkdir(folder);
  await writeFile(join(folder, sha256(bytes)), bytes.subarray(0, 10));

  await createFileStore(directory).put(sha256(bytes), bytes);

  expect(Buffer.from((await createFileStore(directory).get(sha256(bytes))) ?? [])).toEqual(bytes);
});

it('leaves one whole file when many put the same at once', async () => {
  const directory = await fresh();
  const bytes = randomBytes(100_000);

  await Promise.all(Array.from({ length: 20 }, () => createFileStore(directory).put(sha256(bytes), bytes)));

  expect(await filesOf(directory)).toEqual([sha256(bytes)]);
  expect(Buffer.from((await createFileStore(directory).get(sha256(bytes))) ?? [])).toEqual(bytes);
});

it('answers null where nothing was put, also in a directory that is not there', async () => {
  expect(await createFileStore(join(base, 'nowhere')).get(sha256(randomBytes(1)))).toBeNull();
});

it('says what is wrong with a directory that cannot be used, and leaves nothing behind', async () => {
  const directory = await fresh();
  const inTheWay = join(directory, 'file');
  await writeFile(inTheWay, '');
  const bytes = randomBytes(10);

  const refused = {
    code: 'KIT_ARTIFACT_STORE',
    message: expect.stringContaining(inTheWay),
    hint: expect.stringContaining('storage.artifacts.path'),
  };
  await expect(createFileStore(inTheWay).put(sha256(bytes), bytes)).rejects.toMatchObject(refused);
  await expect(createFileStore(inTheWay).get(sha256(bytes))).rejects.toMatchObject({ code: 'KIT_ARTIFACT_STORE' });
  expect(await filesOf(directory)).toEqual(['file']);
});

it.skipIf(process.getuid?.() === 0)('tells a file that may not be read from one that is not there', async () => {
  const directory = await fresh();
  const bytes = randomBytes(10);
  const store = createFileStore(directory);
  await store.put(sha256(bytes), bytes);
  await chmod(join(directory, sha256(bytes).slice(0, 2), sha256(bytes)), 0);

  await expect(store.get(sha256(bytes))).rejects.toMatchObject({
    code: 'KIT_ARTIFACT_STORE',
    message: expect.stringContaining('EACCES'),
  });
});

it('takes nothing that is not a digest for a file', async () => {
  await expect(createFileStore(await fresh()).get('../../etc/passwd')).rejects.toThrow('SHA-256');
});
