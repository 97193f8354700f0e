import { expect, it } from 'vitest';
import { createIds } from '../../src/system/ids.js';

const ids = createIds({ hostname: 'box', pid: 7 });

it('makes job ids of 12 lower-case hex characters that differ', () => {
  const made = Array.from({ length: 1_000 }, () => ids.jobId());

  expect(made.every((id) => /^[0-9a-f]{12}$/.test(id))).toBe(true);
  expect(new Set(made).size).toBe(1_000);
});

it('names host and process in a worker id, and tells two workers of one process apart', () => {
  expect(ids.workerId()).toMatch(/^box:7:[0-9a-f]{8}$/);
  expect(ids.workerId()).not.toBe(ids.workerId());
});

it('makes version 4 UUIDs', () => {
  expect(ids.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
