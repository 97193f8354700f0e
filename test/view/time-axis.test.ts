import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeAxis } from '../../src/view/time-axis.js';

const WEEK_MS = 7 * 86_400_000;

describe('the axis of a run', () => {
  it('gives each time its part of the whole', () => {
    const axis = timeAxis({ fromMs: 1_000, toMs: 2_000 }, [{ fromMs: 1_000, toMs: 2_000 }]);

    expect([500, 1_000, 1_250, 2_000, 9_000].map(axis.at)).toEqual([0, 0, 0.25, 1, 1]);
    expect(axis.waits).toEqual([]);
  });

  it('draws a week of waiting short, so that a minute of work on each side is still seen', () => {
    const minute = 60_000;
    const later = minute + WEEK_MS;
    const axis = timeAxis({ fromMs: 0, toMs: later + minute }, [
      { fromMs: 0, toMs: minute },
      { fromMs: later, toMs: later + minute },
    ]);

    expect(axis.waits).toEqual([{ fromMs: minute, toMs: later }]);
    expect(axis.at(minute)).toBeCloseTo(0.485, 3);
    expect(axis.at(later)).toBeCloseTo(0.515, 3);
  });

  it('leaves short pauses as they are', () => {
    const axis = timeAxis({ fromMs: 0, toMs: 30_000 }, [
      { fromMs: 0, toMs: 1_000 },
      { fromMs: 29_000, toMs: 30_000 },
    ]);

    expect(axis.waits).toEqual([]);
  });

  it('never goes back, and never leaves the line', () => {
    const stretches = fc.array(fc.tuple(fc.nat(10_000_000), fc.nat(5_000)), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(stretches, fc.array(fc.nat(12_000_000), { minLength: 2, maxLength: 20 }), (parts, times) => {
        let end = 0;
        const busy = parts.map(([gap, length]) => {
          const fromMs = end + gap;
          end = fromMs + length;
          return { fromMs, toMs: end };
        });
        const axis = timeAxis({ fromMs: 0, toMs: end }, busy);
        const places = [...times].sort((a, b) => a - b).map(axis.at);
        for (const [index, place] of places.entries()) {
          expect(place).toBeGreaterThanOrEqual(index === 0 ? 0 : (places[index - 1] ?? 0) - 1e-9);
          expect(place).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
