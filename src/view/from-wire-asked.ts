import type { Json } from '../domain/json.js';
import {
  type Fields,
  fieldsOf,
  isTrueAt,
  maybeNumberAt,
  maybeObjectAt,
  maybeTextAt,
  numberAt,
  objectsAt,
  textAt,
  textMapAt,
  textsAt,
} from '../lib/read-json.js';
import type { ReviewRequest } from './asked.js';

/**
 * What is asked, out of the members `request` and `you` that `toWireAsked` makes; null: there is no
 * `request`.
 */
export function fromWireAsked(value: unknown): ReviewRequest | null {
  const beside = fieldsOf(value);
  const request = maybeObjectAt(beside, 'request');
  if (request === null) return null;
  const by = fieldsOf(request.submitted_by);
  const you = maybeObjectAt(beside, 'you');
  return {
    runId: textAt(request, 'run_id'),
    topology: {
      name: textAt(request, 'topology'),
      version: maybeTextAt(request, 'version'),
      description: maybeTextAt(request, 'description'),
    },
    input: {
      text: textAt(request, 'input'),
      chars: numberAt(request, 'input_chars'),
      isCut: isTrueAt(request, 'input_cut'),
    },
    attachments: textsAt(request, 'attachments'),
    submittedBy: {
      identity: textAt(by, 'identity'),
      assurance: textAt(by, 'assurance') as ReviewRequest['submittedBy']['assurance'],
    },
    labels: textMapAt(request, 'labels'),
    correlationId: maybeTextAt(request, 'correlation_id'),
    source: textAt(request, 'source'),
    submittedAt: textAt(request, 'submitted_at'),
    askedAt: textAt(request, 'asked_at'),
    ageMs: numberAt(request, 'age_seconds') * 1_000,
    spent: spentOf(request),
    call: callOf(request),
    critique: maybeTextAt(request, 'critique'),
    decisions: objectsAt(request, 'decisions').map((made) => ({
      by: textAt(made, 'by'),
      role: maybeTextAt(made, 'role'),
      outcome: textAt(made, 'outcome') as ReviewRequest['decisions'][number]['outcome'],
      comment: textAt(made, 'comment'),
      round: numberAt(made, 'round'),
      at: textAt(made, 'at'),
      counts: isTrueAt(made, 'counts'),
    })),
    led: ledOf(request),
    you: you === null ? null : { canDecide: isTrueAt(you, 'can_decide'), whyNot: maybeTextAt(you, 'why_not') },
  };
}

/** A run that has not begun has used nothing, and its cost is told as unknown. */
function spentOf(request: Fields): ReviewRequest['spent'] {
  const spent = {
    costUsd: maybeNumberAt(request, 'cost_usd'),
    inputTokens: numberAt(request, 'input_tokens'),
    outputTokens: numberAt(request, 'output_tokens'),
  };
  return spent.costUsd === null && spent.inputTokens === 0 && spent.outputTokens === 0 ? null : spent;
}

function callOf(request: Fields): ReviewRequest['call'] {
  const call = maybeObjectAt(request, 'call');
  if (call === null) return null;
  return {
    name: textAt(call, 'name'),
    reason: textAt(call, 'reason'),
    details: (call.details ?? null) as Json,
    approvers: textsAt(call, 'approvers'),
  };
}

function ledOf(request: Fields): ReviewRequest['led'] {
  const led = maybeObjectAt(request, 'led_here');
  if (led === null) return null;
  return {
    steps: objectsAt(led, 'steps').map((step) => ({
      depth: numberAt(step, 'depth'),
      kind: step.kind === 'agent' ? 'agent' : 'call',
      name: textAt(step, 'name'),
      status: textAt(step, 'status'),
      count: numberAt(step, 'count'),
      modelCalls: numberAt(step, 'model_calls'),
      durationMs: maybeNumberAt(step, 'duration_ms'),
      costUsd: maybeNumberAt(step, 'cost_usd'),
    })),
    leftOut: numberAt(led, 'left_out'),
  };
}
