import { expect, it } from 'vitest';
import type { World } from '../../support/store-world.js';

const UNKNOWN = { code: 'KIT_CONVERSATION_UNKNOWN' };

/** Who sees which conversation, and by what of its id. */
export function conversationReaders(world: World): void {
  const all = () => world().stores.serving.conversations;
  const create = (id: string) => all().create({ id, topology: 'review', createdBy: 'ada', shared: false });

  it("shows a person their own, what is shared and what is nobody's, also by a prefix; whoever sees all, all", async () => {
    for (const [id, createdBy, shared] of [
      ['0a000001', 'ada', false],
      ['0a000002', 'bob', false],
      ['0b000003', 'bob', true],
      ['0c000004', 'anonymous', false],
    ] as const)
      await all().create({ id, topology: 'review', createdBy, shared });
    await world().reopen();
    const seen = async (of: string | null) => (await all().list(10, of)).map(({ id }) => id).toSorted();

    expect(await seen('ada')).toEqual(['0a000001', '0b000003', '0c000004']);
    expect(await seen('bob')).toEqual(['0a000002', '0b000003', '0c000004']);
    expect(await seen('ADA')).toEqual(['0b000003', '0c000004']);
    expect(await seen(null)).toHaveLength(4);
    expect((await all().get('0a', 'ada')).id).toBe('0a000001');
    for (const hidden of ['0a000002', '0a0000020'])
      await expect(all().get(hidden, 'ada')).rejects.toMatchObject({ ...UNKNOWN, data: { candidates: [] } });
    await expect(all().get('0a', null)).rejects.toMatchObject({ data: { candidates: ['0a000001', '0a000002'] } });
    expect(await all().get('0b', 'ada')).toMatchObject({ createdBy: 'bob', shared: true });
  });

  it('is found by a prefix that no other id begins with', async () => {
    await create('0a1b2c3d');
    await create('0a1b2c3e');
    await create('ff000000');

    expect((await all().get('ff', 'ada')).id).toBe('ff000000');
    expect((await all().get('0a1b2c3d', 'ada')).id).toBe('0a1b2c3d');
    await expect(all().get('0a1b', 'ada')).rejects.toMatchObject({
      ...UNKNOWN,
      data: { candidates: ['0a1b2c3d', '0a1b2c3e'] },
    });
    await expect(all().get('0a1b2c3dd', 'ada')).rejects.toMatchObject({ ...UNKNOWN, data: { candidates: [] } });
    for (const none of ['', 'e', '%', '_a1b2c3d', '0A1B2C3D'])
      await expect(all().get(none, 'ada'), none).rejects.toMatchObject(UNKNOWN);
  });
}
