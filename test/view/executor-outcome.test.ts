import { describe, expect, it } from 'vitest';
import { readExecutorResult } from '../../src/engine/executor-result.js';
import { agentWords } from '../../src/text/live/agent-words.js';
import { costSection } from '../../src/text/report/cost.js';
import { html } from '../../src/text/report/html.js';
import { runSummary } from '../../src/text/run-summary.js';
import { eventText } from '../../src/view/lines/event-text.js';
import { reduceRun } from '../../src/view/reduce-run.js';
import { EMPTY_RUN } from '../../src/view/run-view.js';
import { toWireRun } from '../../src/view/schemas/run.js';
import {
  type AnySketch,
  agentCompleted,
  agentStarted,
  executorResult,
  storedEvents,
} from '../support/stored-events.js';

const FAILED = { passed: false, text: '1 of 3 failed, exit code 1' };
const sketches = (outcome: typeof FAILED): readonly AnySketch[] => [
  {
    type: 'agent.started',
    agentId: 'tests',
    stepKey: 'root',
    payload: agentStarted('root', null, 'harness:test-runner'),
  },
  { type: 'executor.result', agentId: 'tests', stepKey: 'root/h', payload: executorResult({ outcome }) },
  { type: 'agent.completed', agentId: 'tests', stepKey: 'root', payload: agentCompleted('root', { role: 'root' }) },
  { type: 'run.ended', payload: { status: 'completed', reason: null, error: null } },
];
const viewOf = (outcome: typeof FAILED) => storedEvents(sketches(outcome)).reduce(reduceRun, EMPTY_RUN);
const JOB = {
  id: '0123456789ab',
  callerJobId: null,
  topology: 'demo',
  status: 'completed' as const,
  reason: null,
  error: null,
  output: 'x',
  diffLength: null,
  executedMs: 1,
  waitingOn: [],
  needs: { plugins: {}, adapters: {} },
};
const GREEN = '\u001b[32m';

describe('tests that ran to their end and failed', () => {
  it('are told with their numbers, and in no colour of success', () => {
    const view = viewOf(FAILED);
    const agent = view.agents.root;
    if (agent === undefined) throw new Error('no agent');
    const summary = runSummary(view, JOB, { color: true, verbose: false, workspaceArgument: '' });

    expect(agentWords(agent, { view, hasEnded: true })).toEqual({
      mark: '!',
      tone: 'bad',
      words: 'done: 1 of 3 failed, exit code 1',
    });
    expect(summary).toContain('tests: 1 of 3 failed, exit code 1');
    expect(summary).not.toContain(GREEN);
    expect(html`${costSection(view)}`.toString()).not.toContain('success');
    expect(toWireRun(view)).toMatchObject({ executors: [{ outcome: FAILED }], agents: [{ outcome: FAILED }] });
  });

  it.each([
    [FAILED, 'bad', 'test-runner: 1 of 3 failed, exit code 1, 4.2 s'],
    [{ passed: true, text: '3 passed, exit code 0' }, 'plain', 'test-runner: 3 passed, exit code 0, 4.2 s'],
  ])('are a line of the log: %j', (outcome, tone, text) => {
    const event = storedEvents(sketches(outcome))[1];

    expect(event === undefined ? null : eventText(event)).toMatchObject({ tone, text });
  });

  it('stay a success of the executor, and green where all passed', () => {
    const view = viewOf({ passed: true, text: '3 passed, exit code 0' });

    expect(runSummary(view, JOB, { color: true, verbose: false, workspaceArgument: '' })).toContain(GREEN);
    expect(view.executors[0]?.status).toBe('success');
  });
});

it.each([[{ passed: 'no', text: 'x' }], [{ passed: true }], ['failed'], [null]])(
  'an outcome that is none is left out: %j',
  (outcome) => {
    const result = {
      status: 'success',
      reason: null,
      message: '',
      output: null,
      usage: null,
      exitCode: 0,
      signal: null,
      stderrTail: '',
      outcome,
    };

    expect(readExecutorResult(result as never).outcome).toBeUndefined();
  },
);
