import { expect, it } from 'vitest';
import { sinkRun } from '../../../../src/app/events/sinks/sink-run.js';
import type { StoredEvent } from '../../../../src/domain/events.js';

const NO_SOURCE: Parameters<typeof sinkRun>[0] = {
  jobs: { get: async () => null },
  events: { read: () => Promise.reject(new Error('unread')), readRun: () => Promise.reject(new Error('unread')) },
};

const opened = (jobId: string, payload: object): StoredEvent =>
  // Only what a link is made of.
  ({ type: 'funnel.gate_opened', jobId, payload }) as unknown as StoredEvent;

const linksOf = (event: StoredEvent, publicUrl: string | null) => sinkRun(NO_SOURCE, event, publicUrl).links;

it('names the run and the gate of an event below the public address', () => {
  expect(linksOf(opened('4f2a', { gate_id: '4f2a:writer' }), 'https://kit.example.org/')).toEqual({
    run: 'https://kit.example.org/jobs/4f2a',
    gate: 'https://kit.example.org/gates/4f2a:writer',
  });
  expect(linksOf(opened('4f2a', {}), 'https://kit.example.org/base')).toEqual({
    run: 'https://kit.example.org/base/jobs/4f2a',
    gate: null,
  });
});

it('leads nowhere else, whatever an id holds', () => {
  expect(linksOf(opened('a/../../x', { gate_id: '//evil.example/?q#f' }), 'https://kit.example.org')).toEqual({
    run: 'https://kit.example.org/jobs/a%2F..%2F..%2Fx',
    gate: 'https://kit.example.org/gates/%2F%2Fevil.example%2F%3Fq%23f',
  });
});

it('has none without a public address, and for what belongs to no run', () => {
  expect(linksOf(opened('4f2a', { gate_id: '4f2a:writer' }), null)).toBeNull();
  expect(linksOf(opened('', {}), 'https://kit.example.org')).toBeNull();
});
