import { describe, expect, it } from 'vitest';
import { coalesce } from '../../src/lib/coalesce.js';

/** Work that ends when it is told to. */
function heldWork() {
  const starts: PromiseWithResolvers<void>[] = [];
  const work = (): Promise<void> => {
    const held = Promise.withResolvers<void>();
    starts.push(held);
    return held.promise;
  };
  return { starts, work };
}

describe('clearing up that many ask for', () => {
  it('runs once more for all who asked while it ran, and not before it has ended', async () => {
    const { starts, work } = heldWork();
    const clear = coalesce(work);
    const first = clear();
    const later = [clear(), clear(), clear()];
    expect(starts).toHaveLength(1);
    starts[0]?.resolve();
    await first;
    await Promise.resolve();
    await expect.poll(() => starts.length).toBe(2);
    starts[1]?.resolve();
    await Promise.all(later);
    expect(starts).toHaveLength(2);
  });

  it('goes on after one of its runs has failed', async () => {
    const { starts, work } = heldWork();
    const clear = coalesce(work);
    const first = clear();
    const second = clear();
    starts[0]?.reject(new Error('the disk is full'));
    await expect(first).rejects.toThrow('the disk is full');
    await expect.poll(() => starts.length).toBe(2);
    starts[1]?.resolve();
    await second;
    const third = clear();
    starts[2]?.resolve();
    await third;
    expect(starts).toHaveLength(3);
  });
});
