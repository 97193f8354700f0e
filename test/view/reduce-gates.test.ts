import { expect, test } from 'vitest';
import type { RunEvent, StoredEvent } from '../../src/domain/events.js';
import { reduceRun } from '../../src/view/reduce-run.js';
import { EMPTY_RUN, type GateView } from '../../src/view/run-view.js';
import { Desk, GATE, policy, registry, rule, task } from '../govern/approval/build.js';
import { storedEvents } from '../support/stored-events.js';

const opened = storedEvents([
  {
    type: 'funnel.gate_opened',
    agentId: 'writer',
    payload: {
      gate_id: GATE,
      topology_id: 'release',
      funnel_id: 'sign-off',
      artifact_ref: 'a/b/writer',
      sha256: '',
      round: 0,
      retries: 0,
      escalated: false,
      critique: null,
      judge_score: null,
      expires_at: null,
    },
  },
]);

/** What a run's view says of the gate after the events that decisions left. */
function viewOf(events: readonly RunEvent[]): GateView | undefined {
  const [first] = opened;
  if (first === undefined) throw new Error('a gate was opened');
  const { jobId, labels, correlationId } = first;
  const stored = events.map(
    (event, index): StoredEvent => ({
      ...event,
      jobId,
      seq: index + 2,
      pos: index + 101,
      labels,
      correlationId,
      prevHash: '',
      hash: '',
    }),
  );
  return [...opened, ...stored].reduce(reduceRun, EMPTY_RUN).gates[GATE];
}

const desk = Desk.of(registry({ qa: ['ann'], ops: ['cid'] })).open({ policy: policy([rule(['qa', 'ops'])]) });

test('a decision that is given twice shows once', () => {
  const first = desk.attempt(task(0, 'qa'), 'ann');
  const again = desk.apply(first).attempt(task(0, 'qa'), 'ann');
  expect(viewOf([...first.events, ...again.events])).toMatchObject({
    status: 'pending',
    decisions: [{ by: 'ann', outcome: 'approve' }],
  });
});

test('a round in which changes were requested is over', () => {
  const change = desk.attempt(task(0, 'qa'), 'ann', { outcome: 'changes_requested', comment: 'shorter' });
  expect(viewOf(change.events)).toMatchObject({
    status: 'changes-requested',
    decisions: [{ by: 'ann', comment: 'shorter' }],
  });
});

test('a refused attempt shows no decision, and a rejection the end of the gate', () => {
  expect(viewOf(desk.attempt(task(0, 'qa'), 'cid').events)).toMatchObject({ status: 'pending', decisions: [] });
  expect(viewOf(desk.attempt(task(0, 'ops'), 'cid', { outcome: 'reject' }).events)).toMatchObject({
    status: 'rejected',
  });
});

test.each([
  ['failed', true],
  ['stopped', false],
] as const)('a gate that nobody decided when its run has %s: withdrawn %s', (status, withdrawn) => {
  const [ended] = storedEvents([{ type: 'run.ended', payload: { status, reason: 'x', error: null } }]);
  if (ended === undefined) throw new Error('the run ended');
  expect(viewOf([ended])).toMatchObject({ status: 'pending', withdrawn });
});
