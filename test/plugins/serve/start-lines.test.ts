import { describe, expect, it } from 'vitest';
import { startLines } from '../../../plugins/serve/src/start/start-lines.js';
import type { TriggerReport } from '../../../src/app/triggers/triggers-app.js';

type Reported = Parameters<typeof startLines>[0];

const reported = (over: Partial<Reported['facts']> = {}, mode = 'none'): Reported => ({
  url: 'http://127.0.0.1:8000',
  // Only what the lines read.
  prepared: {
    auth: { info: () => ({ mode }) },
    role: 'all',
    maxQueued: null,
    warnings: ['look out'],
  } as unknown as Reported['prepared'],
  facts: { storage: 'sqlite (x)', maxConcurrent: 5, topologies: ['hello'], hasConsole: true, notes: [], ...over },
  failed: [],
});

const trigger = (over: Partial<TriggerReport>): TriggerReport => ({
  id: 'nightly',
  type: 'cron',
  providerId: null,
  enabled: true,
  active: true,
  reason: null,
  targets: ['hello'],
  pipelineTargets: [],
  config: {},
  nextFireAt: '2026-01-02T03:00:00.000Z',
  ...over,
});

describe('the first lines of a server', () => {
  it('say where it listens, what is there, what fires next, and the first thing to type', () => {
    expect(
      startLines(reported(), [trigger({}), trigger({ id: 'hook', type: 'webhook', active: false, nextFireAt: null })]),
    ).toEqual([
      'listening on http://127.0.0.1:8000',
      'console: http://127.0.0.1:8000/console',
      'topologies: hello',
      'triggers: nightly (cron, next 2026-01-02T03:00:00.000Z), hook (webhook, off)',
      'auth: none',
      'storage: sqlite (x)',
      'max_concurrent: 5',
      'warning: look out',
      `try: curl -X POST http://127.0.0.1:8000/run/hello -H 'Content-Type: application/json' -d '{"input": "hello"}'`,
    ]);
  });

  it('leave out what is not there, and count what is too much for a line', () => {
    const many = Array.from({ length: 20 }, (_, n) => `t${n}`);

    expect(startLines(reported({ topologies: [], hasConsole: false })).join('\n')).not.toMatch(
      /console|topologies|try:/,
    );
    expect(startLines(reported({ topologies: many }))).toContain(
      'topologies: t0, t1, t2, t3, t4, t5, t6, t7 and 12 more',
    );
  });

  it('name the proof that a request needs, and not its value', () => {
    expect(startLines(reported({}, 'api_key')).at(-1)).toContain('-H "Authorization: Bearer $KIT_TOKEN"');
  });
});
