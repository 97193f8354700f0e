import { expect, it } from 'vitest';
import { queueFigures } from '../../src/store/queue-figures.js';

it('never tells a wait below nothing, though two clocks wrote its ends', () => {
  const sample = {
    created_at: '2026-01-02T03:04:05.002Z',
    claimed_at: '2026-01-02T03:04:05.001Z',
    started_at: '2026-01-02T03:04:05.003Z',
    completed_at: '2026-01-02T03:04:05.013Z',
  };
  const facts = { depths: [], running: 0, outages: undefined, samples: [sample], now: sample.completed_at };
  expect(queueFigures(facts)).toMatchObject({ queueWaitP50Ms: 0, queueWaitP95Ms: 0, executionP50Ms: 10 });
});
