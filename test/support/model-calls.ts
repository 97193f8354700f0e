import type { RunEvent } from '../../src/domain/events.js';
import { eventOf } from './store-samples.js';

/** A call of a model, as a test tells what matters of it. */
export interface Call {
  readonly servedBy?: string;
  readonly model?: string;
  readonly input?: number;
  readonly output?: number;
  readonly cached?: number;
  readonly cost?: number | null;
  readonly timestamp?: string;
  readonly reason?: string;
  readonly status?: 'ok' | 'failed';
  readonly topologyId?: string;
}

export function calledEvent(eventId: string, call: Call = {}): RunEvent {
  const { model = 'm-1', input = 10, output = 5, cached = 0, cost = 0, reason, status = 'ok', servedBy } = call;
  const event = eventOf(eventId, 'model.called', {
    provider: 'p',
    model,
    purpose: 'turn',
    status,
    reason: reason ?? null,
    tool_calls: 0,
    retries: 0,
    input_tokens: input,
    output_tokens: output,
    cached_input_tokens: cached,
    reasoning_tokens: 0,
    cost_usd: cost,
    duration_ms: 1,
    ...(servedBy === undefined ? {} : { served_by: { provider: 'q', model: servedBy } }),
  });
  const { timestamp = event.timestamp, topologyId = event.topologyId } = call;
  return { ...event, timestamp, topologyId };
}
