import { expect, it } from 'vitest';
import type { FleetMember } from '../../../src/domain/ports/fleet.js';
import { memberOf } from '../../support/fleet-samples.js';
import type { World } from '../../support/store-world.js';

const ALIVE_MS = 15_000;
const FORGET_MS = 3_600_000;

export function fleetLaws(world: World): void {
  const fleet = () => world().stores.serving.fleet;
  const beat = (over: Partial<FleetMember> = {}): Promise<void> => fleet().beat(memberOf(over), FORGET_MS);
  const ids = async (): Promise<readonly string[]> => (await fleet().list(ALIVE_MS)).map(({ id }) => id);

  it('is empty before anybody has beaten', async () => {
    expect(await fleet().list(ALIVE_MS)).toEqual([]);
  });

  it('gives a member back as it described itself, with the time of its beat by the clock of the store', async () => {
    const member = memberOf({
      offers: { plugins: { 'acme-runner': '1.4.1' }, adapters: { coder: 'a'.repeat(64) }, workspace: 'café' },
    });
    await fleet().beat(member, FORGET_MS);
    await world().elapse(4_000);

    const [seen] = await fleet().list(ALIVE_MS);

    expect(seen).toMatchObject({ ...member, isAlive: true });
    expect(seen?.silentMs).toBeGreaterThanOrEqual(4_000);
    expect(Date.parse(seen?.beatAt ?? '')).not.toBeNaN();
  });

  it('keeps one row a member: the newest beat says how it is', async () => {
    await beat({ active: 1 });
    await beat({ active: 7, concurrency: 0 });

    expect(await fleet().list(ALIVE_MS)).toMatchObject([{ active: 7, concurrency: 0 }]);
  });

  it('lists the living first, newest start first, and those who fell silent behind them', async () => {
    await beat({ id: 'gone', startedAt: '2026-01-02T09:00:00.000Z' });
    await world().elapse(ALIVE_MS + 1_000);
    await beat({ id: 'old', startedAt: '2026-01-02T03:00:00.000Z' });
    await beat({ id: 'new', startedAt: '2026-01-02T04:00:00.000Z' });

    const seen = await fleet().list(ALIVE_MS);

    expect(seen.map(({ id, isAlive }) => [id, isAlive])).toEqual([
      ['new', true],
      ['old', true],
      ['gone', false],
    ]);
  });

  it('removes with a beat who has not been heard of for long, and nobody else', async () => {
    await beat({ id: 'dead' });
    await world().elapse(FORGET_MS - 10_000);
    await beat({ id: 'silent' });
    await world().elapse(11_000);
    expect(await ids()).toContain('dead');

    await beat({ id: 'alive' });

    expect(await ids()).toEqual(['alive', 'silent']);
  });

  it('never removes who beats, however long the silence before', async () => {
    await beat({ id: 'slept' });
    await world().elapse(2 * FORGET_MS);

    await beat({ id: 'slept' });

    expect(await fleet().list(ALIVE_MS)).toMatchObject([{ id: 'slept', isAlive: true }]);
  });

  it('forgets who has left, twice as well as once', async () => {
    await beat({ id: 'one' });
    await beat({ id: 'two' });

    await fleet().leave('one');
    await fleet().leave('one');

    expect(await ids()).toEqual(['two']);
  });
}
