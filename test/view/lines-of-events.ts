import type { EventType } from '../../src/domain/events.js';
import type { EventPayloads } from '../../src/domain/generated/events.js';
import {
  agentCompleted,
  agentStarted,
  executorResult,
  modelCalled,
  runStarted,
  skillExecuted,
} from '../support/stored-events.js';

const counted = { archetype: 'coder', kind: 'edit', match: 'src/**', by_user: 'bob' } as const;

const OF_ITEM = { kind: 'input', review_queue_id: 'i1' } as const;

/** Lines of every type, each with what it is made of: a type without one does not compile. */
export const LINES: { readonly [T in EventType]: Readonly<Record<string, Partial<EventPayloads[T]>>> } = {
  'run.started': {
    'strong: run 0123456789ab of demo 1.0.0 submitted by ann': runStarted,
    'strong: run 0123456789ab of demo submitted by ann': { ...runStarted, version: null },
  },
  'run.ended': { 'bad: run failed: in_doubt (a b)': { status: 'failed', reason: 'in_doubt', error: 'a b' } },
  'run.stopped': { 'warn: stop requested by bob': { requested_by: 'bob' } },
  'run.parked': {
    'warn: run waits for people: gate g': { waiting_on: ['i1'], error: 'gate g' },
    'warn: run stopped (stopped by bob)': { status: 'stopped', reason: null, error: 'stopped by bob' },
  },
  'run.resumed': { 'strong: run resumed by bob, it was stopped': { requested_by: 'bob', from_status: 'stopped' } },
  'run.attachments': {
    'plain: attachment a.pdf, application/pdf, 2.0 KiB': {
      name: 'a.pdf',
      media_type: 'application/pdf',
      size_bytes: 2048,
    },
  },
  'input.validated': { 'dim detail: input fits its schema': {} },
  'input.rejected': {
    'bad: input refused: /city must be string': { errors: [{ pointer: '/city', message: 'must be string' }] },
  },
  'limit.breached': {
    'bad: limit max_steps_per_run is 10, this would be 11': { limit: 'max_steps_per_run', limit_value: 10, actual: 11 },
    'bad: limit max_cost_per_run_usd is 1, and what was spent is not known': {
      limit: 'max_cost_per_run_usd',
      limit_value: 1,
      actual: null,
    },
  },
  'pipeline.ingress': {
    'bad: event e for c from s: no listener: nobody waits': {
      event: 'e',
      correlation_id: 'c',
      source: 's',
      outcome: 'no_listener',
      reason: 'nobody waits',
    },
  },
  'funnel.layer_evaluated': {
    'warn: judge layer sent it back (0.50): too long': {
      layer: 'judge',
      passed: false,
      critique: 'too long',
      confidence: 0.5,
    },
  },
  'funnel.gate_opened': {
    'warn: gate g is open for report@1, round 1, escalated: its checks did not pass': {
      gate_id: 'g',
      artifact_ref: 'report@1',
      escalated: true,
      round: 1,
    },
  },
  'funnel.advisory_completed': { 'warn: nobody reviewed this: no gate': { why: 'no gate' } },
  'decision.evaluated': {
    'plain: judge says fail (unsure, advisory): no': {
      skill: 'judge',
      verdict: 'fail',
      confidence: null,
      passed: false,
      reasoning: 'no',
      required: false,
    },
  },
  'approval.gate_opened': { 'dim detail: 0 role tasks at gate g': { role_tasks: [], gate_id: 'g', round: 0 } },
  'approval.role_task_resolved': {
    'good: bob for lead: approve': { identity: 'bob', role: 'lead', outcome: 'approve', allowed: true, comment: '' },
    'warn: bob may not decide: the author': {
      identity: 'bob',
      role: 'lead',
      outcome: 'approve',
      allowed: false,
      reason: 'the author',
    },
  },
  'approval.gate_resolved': {
    'warn: gate g rejected by bob: no': { gate_id: 'g', status: 'rejected', by: 'bob', comment: 'no' },
  },
  'approval.changes_requested': { 'warn: bob asks for changes: shorter': { by: 'bob', comment: 'shorter' } },
  'approval.reminder': {
    'warn: gate g expires at 2030-01-02T00:00:00.000Z': { gate_id: 'g', expires_at: '2030-01-02T00:00:00.000Z' },
  },
  'approval.expired': {
    'bad: gate g was not decided in time: rejected': { gate_id: 'g', action: 'reject', escalated_to: [] },
    'bad: gate g was not decided in time: it goes to boss': {
      gate_id: 'g',
      action: 'escalate',
      escalated_to: ['boss'],
    },
  },
  rework: { 'plain: works again on what the reviewers asked for, draft 2': { draft: 1 } },
  'hitl.requested': {
    'warn: waits for a person: which one? (i1)': { kind: 'input', summary: 'which one?', review_queue_id: 'i1' },
  },
  'hitl.resolved': {
    'plain: bob: answered: b': { ...OF_ITEM, by_user: 'bob', decision: 'answered', comment: 'b' },
    'plain: ann: answer "a": so': { ...OF_ITEM, by_user: 'ann', decision: 'answer', answer: 'a', comment: 'so' },
    'plain: i1 withdrawn': { ...OF_ITEM, by_user: '', decision: 'withdrawn', comment: '' },
  },
  'agent.started': {
    'plain: started': agentStarted('root', null),
    'plain: started (harness:codex)': agentStarted('root', null, 'harness:codex'),
  },
  'agent.completed': {
    'good: done in 2.0 s': agentCompleted('root'),
    'bad: failed: provider.timeout in 2.0 s': agentCompleted('root', { status: 'failed', reason: 'provider.timeout' }),
  },
  'model.called': {
    'plain: asked m1 (100 in, 20 out, $0.250, 1.5 s)': modelCalled(),
    'plain: continued its cut answer with m1 (100 in, 20 out, $0.250, 1.5 s, 2 retries), cut off at the output limit, 1 call':
      modelCalled({ purpose: 'continuation', retries: 2, tool_calls: 1, finish: 'length' }),
    'bad: m1 failed: provider.overloaded, 1 retry': modelCalled({
      status: 'failed',
      reason: 'provider.overloaded',
      retries: 1,
    }),
    'plain: filled by rules (no language model)': modelCalled({ provider: 'rules' }),
    'plain: 2 calls made by rules (no language model)': modelCalled({ provider: 'rules', tool_calls: 2 }),
  },
  'output.validated': {
    'dim detail: answer fits its schema': { valid: true },
    'warn: answer does not fit its schema, attempt 1': { valid: false, attempt: 0 },
  },
  'output.validation_failed': {
    'bad: answer does not fit its schema after 3 attempts: /a is missing; /b is missing': {
      attempts: 3,
      errors: ['/a is missing', '/b is missing'],
    },
  },
  'policy.denied': { 'bad: denied tool:x: no scope': { action: 'tool:x', reason: 'no scope' } },
  'trust.denied': {
    'bad: not let run: its trust score is 0.2': { score: 0.2 },
    'bad: not let run: how far it is trusted could not be read': { score: null },
  },
  'trust.degraded': { 'warn: runs degraded: its trust score is 0.5': { score: 0.5, tier: 'degraded' } },
  'trust.counted': {
    'dim detail: approved by bob, counted for edit src/** of coder': { ...counted, decision: 'approved' },
  },
  'trust.changeset_proposed': {
    'strong: approved 3 times: kit trust list proposes to allow edit src/** of coder': { ...counted, approvals: 3 },
  },
  'trust.applied': { 'strong: bob allowed edit src/** of coder in a.yaml': { ...counted, path: 'a.yaml' } },
  'trust.cleared': { 'plain: bob has edit src/** of coder counted anew': counted },
  'intent.drift': {
    'warn: answer is 0.7 away from what was asked (threshold 0.6); it is asked again': {
      drift_score: 0.7,
      threshold: 0.6,
      action: 'nudge',
    },
    'dim detail: answer is 0.1 away from what was asked (threshold 0.6)': {
      drift_score: 0.1,
      threshold: 0.6,
      action: 'none',
    },
  },
  'skill.executed': {
    'dim detail: read-file in 30 ms': skillExecuted(),
    'warn: read-file denied': skillExecuted({ status: 'denied', reason: 'denied' }),
    'warn: read-file denied: a person': skillExecuted({ status: 'denied', reason: 'a person' }),
    'bad: read-file failed: timeout': skillExecuted({ status: 'failed', reason: 'timeout' }),
  },
  'skill.gap': { 'warn: called fly, which it does not hold': { tool: 'fly', available: [] } },
  'tool.refused': { 'warn: fly refused: bad arguments': { tool: 'fly', reason: 'bad arguments' } },
  'tool.progress': {
    'dim detail: dig at 2 of 5: sand': { tool: 'dig', done: 2, total: 5, message: 'sand' },
    'dim detail: dig at 2': { tool: 'dig', done: 2, total: null, message: null },
  },
  'step.repeated': {
    'warn: a model step was started again, attempt 2': { kind: 'model', attempt: 2, lost: null },
    'warn: a harness step was started again, attempt 2; lost: its worktree': {
      kind: 'harness',
      attempt: 2,
      lost: 'its worktree',
    },
  },
  'step.in_doubt': { 'warn: a tool step was under way when the process died; it was not repeated': { kind: 'tool' } },
  'memory.recalled': { 'dim detail: remembered a/b, c/d': { keys: ['a/b', 'c/d'] } },
  'memory.written': {
    'dim detail: memory new: a/b': { op: 'new', key: 'a/b' },
    'warn: set aside for a person: a/b contradicts what is known': { op: 'contradict', key: 'a/b' },
  },
  'step.waiting': {
    'warn: the provider is down (provider.network, try 2): waits until 2026-01-02 03:04:05 UTC': {
      reason: 'provider.network',
      tries: 2,
      until: '2026-01-02T03:04:05.000Z',
    },
  },
  'step.admitted': { 'dim detail: waited 1.5 s for the provider to take its call': { waited_ms: 1500 } },
  'executor.started': {
    'plain: codex goes on in a worktree; not in it: ../b, a': {
      ref: 'codex',
      sandbox: 'worktree',
      resumed: true,
      not_included: ['a', '../b'],
    },
  },
  'executor.message': { 'plain detail: two tests': { text: 'two tests' } },
  'executor.tool_call': { 'bad detail: ls src error': { tool: 'ls', summary: 'src', status: 'error' } },
  'executor.permission': {
    'bad: bash rm x denied: no rule': { tool: 'bash', subject: 'rm x', answer: 'denied', reason: 'no rule' },
  },
  'executor.network': {
    'bad: a.test:80 is refused: no rule': { host: 'a.test', port: 80, answer: 'refused', reason: 'no rule' },
    'dim detail: reaches a.test': { host: 'a.test', port: 443, answer: 'allowed', reason: '' },
  },
  'a2a.remote_usage': {
    'dim: run r1 at https://a.test: $2': {
      remote_run_id: 'r1',
      endpoint: 'https://a.test',
      cost_usd: 2,
      source: 'reported',
    },
  },
  'executor.result': {
    'plain: test-runner success, exit code 0, diff of 2.0 KiB, 4.2 s': executorResult({ diff_bytes: 2048 }),
  },
  'trigger.fired': {
    'plain: trigger t fired: demo as run j1': {
      trigger: 't',
      by: null,
      targets: [{ target: 'demo', job_id: 'j1', refused: null }],
    },
  },
};
