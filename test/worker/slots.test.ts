import { describe, expect, it } from 'vitest';
import { Slots } from '../../src/worker/slots.js';

describe('a slot', () => {
  it('is taken once by a run, whether its claim or the commit of its row is heard of first', () => {
    const slots = new Slots(2);
    const [late, early] = [slots.reserve(), slots.reserve()];

    late?.hand('late');
    slots.claimed('late');
    slots.claimed('early');
    early?.hand('early');

    expect([slots.active, slots.waiting(), slots.claimable]).toEqual([2, [], 0]);
    slots.ended('early');
    expect([slots.active, slots.claimable]).toEqual([1, 1]);
    expect(slots.reserve()).not.toBeNull();
  });

  it('is held by each claim of a run, also where one that was lost ends beside the next', () => {
    const slots = new Slots(3);
    slots.claimed('a');
    slots.claimed('a');
    slots.ended('a');
    expect(slots.active).toBe(1);

    slots.ended('a');
    const again = slots.reserve();
    again?.hand('a');
    expect([slots.active, slots.waiting()]).toEqual([1, ['a']]);
  });

  it('is none where all are taken, until what was written turns out to be none', () => {
    const slots = new Slots(1);
    const only = slots.reserve();
    expect(slots.reserve()).toBeNull();
    only?.cancel();
    expect([slots.active, slots.reserve() === null]).toEqual([0, false]);
  });
});
