import { describe, expect, it } from 'vitest';
import type { EventType } from '../../src/domain/events.js';
import type { EventPayloads } from '../../src/domain/generated/events.js';
import { eventText } from '../../src/view/lines/event-text.js';
import { factText } from '../../src/view/situation/wire-situation.js';
import {
  type AnySketch,
  agentCompleted,
  agentStarted,
  modelCalled,
  runStarted,
  skillExecuted,
  storedEvents,
} from '../support/stored-events.js';

/** A row: an event with what its line is made of, and the line. */
function row<T extends EventType>(type: T, payload: Partial<EventPayloads[T]>, reported: string) {
  // what else the payload of this type holds is not part of the line
  const [event] = storedEvents([{ type, payload, agentId: 'lead', stepKey: 'root' } as unknown as AnySketch]);
  if (event === undefined) throw new Error('a sketch is an event');
  return [type, event, reported] as const;
}

const ROWS = [
  row('run.started', runStarted, 'strong: run 0123456789ab of demo 1.0.0 submitted by ann'),
  row('run.started', { ...runStarted, version: null }, 'strong: run 0123456789ab of demo submitted by ann'),
  row('run.stopped', { requested_by: 'bob' }, 'warn: stop requested by bob'),
  row('run.resumed', { requested_by: 'bob', from_status: 'stopped' }, 'strong: run resumed by bob, it was stopped'),
  row(
    'run.attachments',
    { name: 'a.pdf', media_type: 'application/pdf', size_bytes: 2048 },
    'plain: attachment a.pdf, application/pdf, 2.0 KiB',
  ),
  row('input.validated', {}, 'dim detail: input fits its schema'),
  row(
    'input.rejected',
    { errors: [{ pointer: '/city', message: 'must be string' }] } as Partial<EventPayloads['input.rejected']>,
    'bad: input refused: /city must be string',
  ),
  row(
    'limit.breached',
    { limit: 'max_steps_per_run', limit_value: 10, actual: 11 } as Partial<EventPayloads['limit.breached']>,
    'bad: limit max_steps_per_run is 10, this would be 11',
  ),
  row(
    'limit.breached',
    { limit: 'max_cost_per_run_usd', limit_value: 1, actual: null } as Partial<EventPayloads['limit.breached']>,
    'bad: limit max_cost_per_run_usd is 1, and what was spent is not known',
  ),
  row(
    'pipeline.ingress',
    { event: 'e', correlation_id: 'c', source: 's', outcome: 'no_match', reason: 'nobody waits' } as unknown as Partial<
      EventPayloads['pipeline.ingress']
    >,
    'bad: event e for c from s: no match: nobody waits',
  ),
  row('agent.started', agentStarted('root', null), 'plain: started'),
  row('agent.started', agentStarted('root', null, 'harness:codex'), 'plain: started (harness:codex)'),
  row('agent.completed', agentCompleted('root'), 'good: done in 2.0 s'),
  row(
    'agent.completed',
    agentCompleted('root', { status: 'failed', reason: 'provider.timeout' }),
    'bad: failed: provider.timeout in 2.0 s',
  ),
  row('model.called', modelCalled(), 'plain: asked m1 (100 in, 20 out, $0.250, 1.5 s)'),
  row(
    'model.called',
    modelCalled({ purpose: 'continuation', retries: 2, tool_calls: 1, finish: 'length' }),
    'plain: continued its cut answer with m1 (100 in, 20 out, $0.250, 1.5 s, 2 retries), cut off at the output limit, 1 call',
  ),
  row(
    'model.called',
    modelCalled({ status: 'failed', reason: 'provider.overloaded', retries: 1 }),
    'bad: m1 failed: provider.overloaded, 1 retry',
  ),
  row('model.called', modelCalled({ provider: 'rules' }), 'plain: filled by rules (no language model)'),
  row(
    'model.called',
    modelCalled({ provider: 'rules', tool_calls: 2 }),
    'plain: 2 calls made by rules (no language model)',
  ),
  row('output.validated', { valid: true }, 'dim detail: answer fits its schema'),
  row('output.validated', { valid: false, attempt: 0 }, 'warn: answer does not fit its schema, attempt 1'),
  row(
    'output.validation_failed',
    { attempts: 3, errors: ['/a is missing', '/b is missing'] },
    'bad: answer does not fit its schema after 3 attempts: /a is missing; /b is missing',
  ),
  row('policy.denied', { action: 'tool:x', reason: 'no scope' }, 'bad: denied tool:x: no scope'),
  row('skill.executed', skillExecuted(), 'dim detail: read-file in 30 ms'),
  row('skill.executed', skillExecuted({ status: 'denied', reason: 'denied' }), 'warn: read-file denied'),
  row('skill.executed', skillExecuted({ status: 'denied', reason: 'a person' }), 'warn: read-file denied: a person'),
  row('skill.executed', skillExecuted({ status: 'failed', reason: 'timeout' }), 'bad: read-file failed: timeout'),
  row('skill.gap', { tool: 'fly', available: [] }, 'warn: called fly, which it does not hold'),
  row('tool.refused', { tool: 'fly', reason: 'bad arguments' }, 'warn: fly refused: bad arguments'),
  row('tool.progress', { tool: 'dig', done: 2, total: 5, message: 'sand' }, 'dim detail: dig at 2 of 5: sand'),
  row('tool.progress', { tool: 'dig', done: 2, total: null, message: null }, 'dim detail: dig at 2'),
  row('step.repeated', { kind: 'model', attempt: 2, lost: null }, 'warn: a model step was started again, attempt 2'),
  row(
    'step.repeated',
    { kind: 'harness', attempt: 2, lost: 'its worktree' },
    'warn: a harness step was started again, attempt 2; lost: its worktree',
  ),
  row('step.in_doubt', { kind: 'tool' }, 'warn: a tool step was under way when the process died; it was not repeated'),
  row('memory.recalled', { keys: ['a/b', 'c/d'] }, 'dim detail: remembered a/b, c/d'),
  row('memory.written', { op: 'new', key: 'a/b' }, 'dim detail: memory new: a/b'),
  row(
    'memory.written',
    { op: 'contradict', key: 'a/b' },
    'warn: set aside for a person: a/b contradicts what is known',
  ),
  row(
    'funnel.layer_evaluated',
    { layer: 'judge', passed: false, critique: 'too long', confidence: 0.5 },
    'warn: judge layer sent it back (0.50): too long',
  ),
  row(
    'funnel.gate_opened',
    { gate_id: 'g', artifact_ref: 'report@1', escalated: true, round: 1 },
    'warn: gate g is open for report@1, round 1, escalated: its checks did not pass',
  ),
  row('funnel.advisory_completed', { why: 'no gate' }, 'warn: nobody reviewed this: no gate'),
  row(
    'decision.evaluated',
    { skill: 'judge', verdict: 'fail', confidence: null, passed: false, reasoning: 'no', required: false },
    'plain: judge says fail (unsure, advisory): no',
  ),
  row('approval.gate_opened', { role_tasks: [], gate_id: 'g', round: 0 }, 'dim detail: 0 role tasks at gate g'),
  row(
    'approval.role_task_resolved',
    { identity: 'bob', role: 'lead', outcome: 'approve', allowed: true, comment: '' },
    'good: bob for lead: approve',
  ),
  row(
    'approval.role_task_resolved',
    { identity: 'bob', role: 'lead', outcome: 'approve', allowed: false, reason: 'the author' },
    'warn: bob may not decide: the author',
  ),
  row(
    'approval.gate_resolved',
    { gate_id: 'g', status: 'rejected', by: 'bob', comment: 'no' },
    'warn: gate g rejected by bob: no',
  ),
  row('approval.changes_requested', { by: 'bob', comment: 'shorter' }, 'warn: bob asks for changes: shorter'),
  row(
    'approval.reminder',
    { gate_id: 'g', expires_at: '2030-01-02T00:00:00.000Z' },
    'warn: gate g expires at 2030-01-02T00:00:00.000Z',
  ),
  row(
    'approval.expired',
    { gate_id: 'g', action: 'reject', escalated_to: [] } as Partial<EventPayloads['approval.expired']>,
    'bad: gate g was not decided in time: rejected',
  ),
  row(
    'approval.expired',
    { gate_id: 'g', action: 'escalate', escalated_to: ['boss'] } as Partial<EventPayloads['approval.expired']>,
    'bad: gate g was not decided in time: it goes to boss',
  ),
  row('rework', { draft: 1 }, 'plain: works again on what the reviewers asked for, draft 2'),
  row(
    'hitl.requested',
    { kind: 'input', summary: 'which one?', review_queue_id: 'i1' },
    'warn: waits for a person: which one? (i1)',
  ),
  row(
    'hitl.resolved',
    { kind: 'input', review_queue_id: 'i1', by_user: 'bob', decision: 'answered', comment: 'b' },
    'plain: bob: answered: b',
  ),
  row(
    'hitl.resolved',
    { kind: 'input', review_queue_id: 'i1', by_user: '', decision: 'withdrawn', comment: '' },
    'plain: i1 withdrawn',
  ),
];

describe('the line of an event', () => {
  it.each(ROWS)('%s', (_, event, reported) => {
    const { tone, text, detail } = eventText(event);
    expect(`${tone}${detail ? ' detail' : ''}: ${text}`).toBe(reported);
  });

  it('names the agent where it is a fact of a situation', () => {
    const [[, event]] = [row('skill.gap', { tool: 'fly', available: [] }, '')];
    expect(factText(event)).toBe('lead: called fly, which it does not hold');
  });

  it('holds no second line and no escape sequence of what comes from outside', () => {
    const [, event] = row('policy.denied', { action: 'a\nb\u001b[31m', reason: 'c\rd' }, '');
    expect(eventText(event).text).not.toMatch(/\p{Cc}/u);
  });
});
