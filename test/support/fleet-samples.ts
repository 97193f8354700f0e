import type { FleetMember, SeenMember } from '../../src/domain/ports/fleet.js';

/** A worker of one machine that offers nothing but kit itself. */
export const memberOf = (over: Partial<FleetMember> = {}): FleetMember => ({
  id: 'host-1:42:0a0b0c0d',
  kind: 'worker',
  hostname: 'host-1',
  pid: 42,
  version: '1.2.3',
  engine: 1,
  jobClass: 'any',
  concurrency: 10,
  active: 3,
  offers: { plugins: {}, adapters: {} },
  startedAt: '2026-01-02T03:00:00.000Z',
  ...over,
});

/** The same, heard of a second ago. */
export const seenOf = (over: Partial<SeenMember> = {}): SeenMember => ({
  ...memberOf(over),
  beatAt: '2026-01-02T03:04:05.000Z',
  silentMs: 1_000,
  isAlive: true,
  ...over,
});
