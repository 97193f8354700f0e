import { describe, expect, it } from 'vitest';
import { comprehensionOf, NO_APPROVALS, reduceComprehension } from '../../src/view/comprehension.js';
import { toWireComprehension } from '../../src/view/schemas/gate.js';
import { type AnySketch, storedEvents } from '../support/stored-events.js';

const SHA = 'a'.repeat(64);
const opened = (gate: string, round = 0): AnySketch => ({
  type: 'funnel.gate_opened',
  payload: {
    gate_id: gate,
    topology_id: 'demo',
    funnel_id: 'f',
    artifact_ref: 'r',
    sha256: SHA,
    round,
    retries: 0,
    escalated: false,
    critique: null,
    judge_score: null,
    expires_at: null,
  },
});
const resolved = (
  gate: string,
  status: 'approved' | 'rejected' | 'pending' = 'approved',
  approvers: string[] = ['ada'],
  round = 0,
): AnySketch => ({
  type: 'approval.gate_resolved',
  payload: { gate_id: gate, round, status, approvers, by: 'ada', comment: '', resumed: true },
});
/** Events are one second apart. */
const fold = (sketches: readonly AnySketch[], keep = 1000) =>
  storedEvents(sketches).reduce((view, event) => reduceComprehension(view, event, keep), NO_APPROVALS);

describe('how fast people approve', () => {
  it('counts from the first announcement of the round', () => {
    const view = fold([opened('g'), opened('g'), opened('g'), resolved('g', 'approved', ['ada', 'bob', 'ada'])]);

    expect(view.approvals).toEqual([
      expect.objectContaining({ gateId: 'g', runId: '0123456789ab', latencyMs: 3000, approvers: ['ada', 'bob'] }),
    ]);
    expect(view.openedAt).toEqual({});
  });

  it('takes each round for itself, and only approvals count', () => {
    const view = fold([
      opened('g'),
      resolved('g', 'pending'),
      resolved('g', 'rejected'),
      opened('g', 1),
      resolved('g', 'approved', ['ada'], 1),
    ]);

    expect(view.approvals.map(({ latencyMs }) => latencyMs)).toEqual([1000]);
  });

  it('says nothing of an approval whose opening the log does not hold', () => {
    expect(fold([resolved('g')]).approvals).toEqual([]);
  });

  it('keeps the newest approvals alone', () => {
    const view = fold([opened('a'), resolved('a'), opened('b'), resolved('b')], 1);

    expect(view.approvals.map(({ gateId }) => gateId)).toEqual(['b']);
  });

  it('changes nothing for an event that it has seen', () => {
    const events = storedEvents([opened('g'), resolved('g')]);
    const once = events.reduce((view, event) => reduceComprehension(view, event, 10), NO_APPROVALS);

    expect(events.reduce((view, event) => reduceComprehension(view, event, 10), once)).toBe(once);
  });

  it('calls an approval debt that came within the threshold, the newest first', () => {
    const view = fold([opened('a'), resolved('a'), opened('b'), opened('x'), opened('y'), resolved('b')]);

    const within = (thresholdSeconds: number) => ({ thresholdSeconds, since: '2030-01-01T00:00:00.000Z' });

    expect(comprehensionOf(NO_APPROVALS, within(20)).verdict).toBe('unknown');
    expect(comprehensionOf(view, within(1))).toMatchObject({ verdict: 'ok', approvalsSeen: 2, fastApprovals: [] });
    expect(toWireComprehension(comprehensionOf(view, within(1.5)))).toMatchObject({
      verdict: 'debt',
      since: '2030-01-01T00:00:00.000Z',
      threshold_seconds: 1.5,
      fast_approvals: [{ gate_id: 'a', latency_seconds: 1, distinct_approvers: 1 }],
    });
    expect(comprehensionOf(view, within(20)).fastApprovals.map(({ gateId }) => gateId)).toEqual(['b', 'a']);
  });
});
