import { describe, expect, it } from 'vitest';
import { compareKeys } from '../../../src/engine/funnel/compare-keys.js';
import { GateOrder } from '../../../src/engine/funnel/gate-order.js';
import { Unfinished } from '../../../src/engine/unfinished.js';

describe('keys of call sites', () => {
  it('are in the order of the calls, numbers as numbers', () => {
    const keys = [
      'root/d0/t0/c2:a',
      'root/d0/t0/c10:a',
      'root/d0/t1/c0:a',
      'root/d0/t10/c0:a',
      'root/d1/t0/c0:a',
      'root/d10/t0/c0:a',
    ];
    expect(keys.toReversed().toSorted(compareKeys)).toEqual(keys);
    expect(compareKeys('root/d0/t0/b', 'root/d0/t0/a')).toBeGreaterThan(0);
    expect(compareKeys('root/d0', 'root/d0/t0')).toBeLessThan(0);
    expect(compareKeys('root/d0/t0/c0:a', 'root/d0/t0/c0:a')).toBe(0);
  });
});

describe('turns at a gate', () => {
  const place = (key: string, agentId = 'writer') => ({ agentId, key });
  const held = () => {
    let release = (): void => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    return { until, release };
  };

  it('go by call site: the later one waits until the earlier one has come to its end or to a park', async () => {
    const turns = new GateOrder();
    const { signal } = new AbortController();
    const order: string[] = [];
    const first = held();
    const one = turns.during(place('c0'), async () => {
      await first.until;
      await turns.take(place('c0'), signal, async () => order.push('c0'));
    });
    const two = turns.during(place('c1'), () => turns.take(place('c1'), signal, async () => order.push('c1')));
    const other = turns.during(place('c1', 'other'), () =>
      turns.take(place('c1', 'other'), signal, async () => order.push('other')),
    );
    await other;
    expect(order).toEqual(['other']);
    first.release();
    await Promise.all([one, two]);
    expect(order).toEqual(['other', 'c0', 'c1']);
  });

  it('let one at a time look at the gate, also when the later call site came first', async () => {
    const turns = new GateOrder();
    const { signal } = new AbortController();
    const looking = held();
    const order: string[] = [];
    const late = turns.during(place('c1'), () =>
      turns.take(place('c1'), signal, async () => {
        await looking.until;
        order.push('c1');
      }),
    );
    const early = turns.during(place('c0'), () => turns.take(place('c0'), signal, async () => order.push('c0')));
    looking.release();
    await Promise.all([late, early]);
    expect(order).toEqual(['c1', 'c0']);
  });

  it('go on behind one that failed', async () => {
    const turns = new GateOrder();
    const failing = turns.during(place('c0'), () => Promise.reject(new Error('broken')));
    const next = turns.during(place('c1'), () =>
      turns.take(place('c1'), new AbortController().signal, async () => 'open'),
    );
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('open');
  });

  it('are not waited for when the scope ends', async () => {
    const turns = new GateOrder();
    const scope = new AbortController();
    const stuck = held();
    const first = turns.during(place('c0'), () => stuck.until);
    const second = turns.during(place('c1'), () => turns.take(place('c1'), scope.signal, async () => 'open'));
    scope.abort();
    await expect(second).rejects.toBeInstanceOf(Unfinished);
    stuck.release();
    await first;
  });
});
