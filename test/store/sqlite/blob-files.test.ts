import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FaultPoints } from '../../../src/domain/faults.js';
import { createBlobFiles } from '../../../src/store/blob-files.js';

describe('a blob that many put at once', () => {
  const bytes = Buffer.from('the snapshot of a hundred runs');
  let directory: string;
  let hits: string[];
  let isBroken: boolean;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kit-blobs-'));
    hits = [];
    isBroken = false;
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const open = () =>
    createBlobFiles(directory, {
      faults: {
        hit: (point) => {
          hits.push(point);
          if (isBroken) throw new Error('the disk is full');
        },
      },
      nowMs: () => Date.now(),
    });
  const putAll = (blobs: ReturnType<typeof open>) =>
    Promise.allSettled(Array.from({ length: 100 }, () => blobs.put(bytes)));

  it('is written once', async () => {
    const blobs = open();

    const put = await putAll(blobs);

    expect(new Set(put.map(({ status }) => status))).toEqual(new Set(['fulfilled']));
    expect(hits).toEqual(['blob.put:before', 'blob.put:after']);
    expect((await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('is put for nobody where it cannot be written, and is written anew for whoever comes later', async () => {
    const blobs = open();
    isBroken = true;
    const refused = await putAll(blobs);
    isBroken = false;

    const sha256 = await blobs.put(bytes);

    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set(['rejected']));
    expect(Buffer.from((await blobs.get(sha256)) ?? [])).toEqual(bytes);
  });
});

it.each([
  ['ENOSPC', 'KIT_STORE_FULL'],
  ['EDQUOT', 'KIT_STORE_FULL'],
  ['EROFS', 'KIT_STORE_READ_ONLY'],
])('%s of the disk is %s, and leaves nothing behind', async (system, code) => {
  const directory = await mkdtemp(join(tmpdir(), 'kit-blobs-'));
  const faults: FaultPoints = {
    hit: () => {
      throw Object.assign(new Error(`${system}: no`), { code: system });
    },
  };
  const blobs = createBlobFiles(directory, { faults, nowMs: Date.now });
  await expect(blobs.put(Buffer.from('bytes'))).rejects.toMatchObject({ code, data: { system } });
  expect((await readdir(directory, { recursive: true })).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  await rm(directory, { recursive: true });
});
