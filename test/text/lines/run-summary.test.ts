import { describe, expect, it } from 'vitest';
import type { Waiting } from '../../../src/text/lines/gate-actions.js';
import { runSummary, type SummaryJob, type SummaryOptions } from '../../../src/text/run-summary.js';
import { reduceRun } from '../../../src/view/reduce-run.js';
import { EMPTY_RUN } from '../../../src/view/run-view.js';
import { itemOf } from '../../support/review-samples.js';
import { type AnySketch, RUN_SKETCH, storedEvents } from '../../support/stored-events.js';

const view = storedEvents(RUN_SKETCH).reduce(reduceRun, EMPTY_RUN);
const JOB: SummaryJob = {
  id: '0123456789ab',
  topology: 'demo',
  status: 'completed',
  reason: null,
  error: null,
  output: 'all good',
  diffLength: null,
  executedMs: 9_000,
  waitingOn: [],
  needs: { plugins: {}, adapters: {} },
};
const OPTIONS: SummaryOptions = { color: false, verbose: false, workspaceArgument: '.' };
const summary = (job: Partial<SummaryJob>, options: Partial<SummaryOptions> = {}): string =>
  runSummary(view, { ...JOB, ...job }, { ...OPTIONS, ...options });

describe('runSummary', () => {
  it('shows the output, then status, time, use and warnings', () => {
    expect(summary({})).toBe(
      [
        'all good',
        '',
        'completed  run 0123456789ab of demo',
        '  9.0 s · 3 agents · 2 model calls · 3 tool calls · 200 in, 40 out · at least $0.250, 1 cost unknown',
        '',
        '! reader: called the tool fly, which it does not hold',
      ].join('\n'),
    );
  });

  it('says what of the cost was for what is remembered', () => {
    const events = storedEvents(RUN_SKETCH).map((event) =>
      event.type === 'model.called' && (event.payload as { cost_usd: number | null }).cost_usd !== null
        ? { ...event, skillId: 'memory-writer' }
        : event,
    );
    const remembering = events.reduce(reduceRun, EMPTY_RUN);

    expect(runSummary(remembering, JOB, OPTIONS)).toContain('cost unknown · of it memory $0.250\n');
    expect(summary({})).not.toContain('memory');
  });

  it('gives the command that goes on with a stopped run, ready to paste', () => {
    const text = summary(
      { status: 'stopped', reason: 'stop_requested', output: null },
      { workspaceArgument: "my work's" },
    );
    expect(text).toContain('stopped: stop_requested');
    expect(text).toContain("kit run 'my work'\\''s' demo --resume=0123456789ab");
  });

  it('names what a deferred run waits for, where to decide and how to go on', () => {
    const text = summary({ status: 'deferred', output: null, waitingOn: ['0123456789ab:writer'] });
    expect(text).toContain('waiting for 0123456789ab:writer');
    expect(text).toContain('kit review list .');
    expect(text).toContain('kit run . demo --resume=0123456789ab');
  });

  it('says that a run goes on by itself, where what people decide wakes it', () => {
    const people = { gates: [], items: [itemOf('0123456789ab', 'ask-1')] };
    const told = (waiting: Partial<Waiting>): string =>
      summary({ status: 'deferred', output: null }, { waiting: { ...people, ...waiting } });

    expect(told({ autoResume: true })).toContain(
      'then:   it goes on by itself once this is decided; by hand: kit run . demo --resume=0123456789ab',
    );
    for (const waiting of [{ autoResume: false }, {}, { autoResume: true, items: [] }])
      expect(told(waiting)).toContain('then:   kit run . demo --resume=0123456789ab');
  });

  it('names what harnesses changed, and how it comes home once the run is done', () => {
    expect(summary({ diffLength: 12 }, { workspaceArgument: './my kit' })).toContain(
      "diff:   kit diff 0123456789ab -w './my kit'\napply:  kit apply 0123456789ab -w './my kit'",
    );
    const failed = summary({ diffLength: 12, status: 'failed', reason: 'gate_rejected' });
    expect(failed).toContain('kit diff 0123456789ab');
    expect(failed).not.toContain('kit apply');
    expect(summary({ diffLength: 0 })).not.toContain('kit diff');
  });

  it('prints the way on that it is given, and none of its own', () => {
    const failed = { status: 'failed', reason: 'provider.bad_request', output: null } as const;
    expect(
      summary(failed, { goOn: { fact: 'other settings', line: 'kit run demo --supersedes 0123456789ab' } }),
    ).toMatch(/needs first: {2}other settings\ngo on: {2}kit run demo --supersedes 0123456789ab$/);
    expect(summary(failed)).not.toContain('kit retry');
  });

  it('says why a run failed and offers no resume', () => {
    const text = summary({ status: 'failed', reason: 'timeout', error: 'the run took more than 300 s', output: null });
    expect(text).toContain('failed: timeout');
    expect(text).toContain('the run took more than 300 s');
    expect(text).not.toContain('--resume');
  });

  it('lists models alone with verbose where the tree of agents stands above', () => {
    const text = summary({}, { verbose: true, hasTree: true });
    expect(text).not.toContain('reader failed');
    expect(text).toContain('  mock/m1: 100 in, 20 out · $0.250');
  });

  it('lists agents and models with verbose', () => {
    const text = summary({}, { verbose: true });
    expect(text).toContain('    reader failed (provider.timeout) 2.0 s, 2 tool calls, 100 in, 20 out · cost unknown');
    expect(text).toContain('  mock/m1: 100 in, 20 out · $0.250');
  });

  it('prints the output alone when quiet', () => {
    expect(summary({}, { quiet: true })).toBe('all good');
    expect(summary({ output: null, status: 'failed' }, { quiet: true })).toBe('');
  });

  it('keeps the lines of an output and takes terminal codes out of it', () => {
    expect(summary({ output: 'one\n\u001b[31mtwo\u001b[0m' }, { quiet: true })).toBe('one\ntwo');
  });

  it('shows five warnings and says how many more there are', () => {
    const gaps = Array.from(
      { length: 8 },
      (_, index): AnySketch => ({ type: 'skill.gap', agentId: 'a', payload: { tool: `t${index}`, available: [] } }),
    );
    const many = storedEvents(gaps).reduce(reduceRun, EMPTY_RUN);
    expect(runSummary(many, JOB, OPTIONS)).toContain('and 3 more; --verbose shows them');
    expect(runSummary(many, JOB, { ...OPTIONS, verbose: true })).toContain('t7');
  });
});
