import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import type { World } from '../../support/store-world.js';

export function blobLaws(world: World): void {
  const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

  it('keeps bytes under their digest, across a restart', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, n) => n % 251);

    const sha256 = await world().stores.blobs.put(bytes);
    await world().reopen();

    expect(sha256).toBe(digest(bytes));
    expect(Buffer.from((await world().stores.blobs.get(sha256)) ?? []).equals(bytes)).toBe(true);
  });

  it('keeps the same bytes once, also when they are put many times at once', async () => {
    const { blobs } = world().stores;
    const bytes = Buffer.from('same');

    const digests = await Promise.all(Array.from({ length: 8 }, () => blobs.put(bytes)));

    expect(new Set(digests)).toEqual(new Set([digest(bytes)]));
    expect(await blobs.put(Buffer.from('same'))).toBe(digests[0]);
  });

  it('keeps bytes for whoever puts them after another process has', async () => {
    const bytes = Buffer.from('of two');
    const sha256 = await world().stores.blobs.put(bytes);
    await world().reopen();

    expect(await world().stores.blobs.put(bytes)).toBe(sha256);
    expect(await world().stores.blobs.put(bytes)).toBe(sha256);

    expect(Buffer.from((await world().stores.blobs.get(sha256)) ?? []).toString()).toBe('of two');
  });

  it('keeps no bytes at all', async () => {
    const { blobs } = world().stores;
    const sha256 = await blobs.put(new Uint8Array());
    expect(await blobs.get(sha256)).toHaveLength(0);
  });

  it.each(['0'.repeat(64), '', '../../etc/passwd', `${'0'.repeat(62)}/..`])('knows nothing under %j', async (name) => {
    expect(await world().stores.blobs.get(name)).toBeNull();
  });
}
