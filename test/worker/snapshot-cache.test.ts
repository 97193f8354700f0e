import { describe, expect, it } from 'vitest';
import type { Job } from '../../src/domain/job.js';
import type { BlobStore } from '../../src/domain/ports/stores.js';
import { SNAPSHOT_FORMAT } from '../../src/domain/snapshot.js';
import { createSnapshotCache } from '../../src/worker/snapshot-cache.js';

const jobOf = (snapshot: string): Job => ({ id: '000000000001', snapshot }) as Job;

/** Blobs by digest, counting how often each is read. */
function countingBlobs(known: Readonly<Record<string, unknown>>) {
  const reads: string[] = [];
  const blobs: BlobStore = {
    put: () => Promise.reject(new Error('nothing is written here')),
    get: async (sha256) => {
      reads.push(sha256);
      return sha256 in known ? new TextEncoder().encode(JSON.stringify(known[sha256])) : null;
    },
  };
  return { blobs, reads };
}

describe('the decoded snapshots of a process', () => {
  it('are read once for all runs of one digest and one store', async () => {
    const { blobs, reads } = countingBlobs({ a: { format: SNAPSHOT_FORMAT } });
    const other = countingBlobs({ a: { format: SNAPSHOT_FORMAT } });
    const read = createSnapshotCache();
    const [one, two] = await Promise.all([read(blobs, jobOf('a')), read(blobs, jobOf('a'))]);
    expect(one).toBe(two);
    expect(reads).toEqual(['a']);
    expect(await read(other.blobs, jobOf('a'))).not.toBe(one);
  });

  it('are looked for again when one could not be read', async () => {
    const { blobs, reads } = countingBlobs({});
    const read = createSnapshotCache();
    await expect(read(blobs, jobOf('b'))).rejects.toMatchObject({ code: 'KIT_STORE_CORRUPT' });
    await expect(read(blobs, jobOf('b'))).rejects.toMatchObject({ code: 'KIT_STORE_CORRUPT' });
    expect(reads).toEqual(['b', 'b']);
  });

  it('are bounded: the one used longest ago is decoded again', async () => {
    const digests = Array.from({ length: 33 }, (_, n) => `d${n}`);
    const { blobs, reads } = countingBlobs(
      Object.fromEntries(digests.map((digest) => [digest, { format: SNAPSHOT_FORMAT }])),
    );
    const read = createSnapshotCache();
    for (const digest of digests) await read(blobs, jobOf(digest));
    await read(blobs, jobOf('d32'));
    await read(blobs, jobOf('d0'));
    expect(reads).toEqual([...digests, 'd0']);
  });
});
