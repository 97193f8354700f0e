import type { ExecutorOutcome, Json } from '@kit-run/kit/plugin';
import type { AdapterSpec, Emit } from '../adapter/spec.js';
import { asCount, asText, asUsd, callStatus, fieldValue } from './fields.js';
import { type MappedEvent, RESULT_STATUSES, type ResultStatus } from './mapped-event.js';

/**
 * Characters of a call's summary that are kept: enough to recognise it; the whole stays with the
 * harness.
 */
const MAX_SUMMARY_CHARS = 500;

const isStatus = (word: string): word is ResultStatus => RESULT_STATUSES.some((known) => known === word);

/** Reads the fields of one event from one item. */
class Fields {
  readonly #emit: Emit;
  readonly #item: Json;
  readonly #maps: AdapterSpec['maps'];

  constructor(emit: Emit, item: Json, maps: AdapterSpec['maps']) {
    this.#emit = emit;
    this.#item = item;
    this.#maps = maps;
  }

  json(name: string): Json | undefined {
    const value = fieldValue(this.#emit.with[name], this.#item, this.#maps);
    return value === null ? undefined : value;
  }

  text(name: string): string | null {
    const value = this.json(name);
    return value === undefined ? null : asText(value);
  }
}

function resultOf(fields: Fields): MappedEvent {
  const word = fields.text('status') ?? '';
  const httpStatus = asCount(fields.json('http_status'));
  const common = {
    type: 'result',
    output: fields.json('output') ?? null,
    message: fields.text('message'),
    outcome: outcomeOf(fields),
    ...(httpStatus === null ? {} : { httpStatus }),
  } as const;
  if (isStatus(word)) return { ...common, status: word, reason: fields.text('reason') };
  // An unknown word is not a success: fail closed, and say which word it was.
  return {
    ...common,
    status: 'failure',
    reason: 'unknown_status',
    message: `the harness ended with the unknown status "${word}"`,
  };
}

/** Only the two words count: an outcome that nobody understands is none. */
function outcomeOf(fields: Fields): ExecutorOutcome | null {
  const word = fields.text('outcome');
  if (word !== 'passed' && word !== 'failed') return null;
  return { passed: word === 'passed', text: fields.text('outcome_text') ?? word };
}

function usageOf(fields: Fields): MappedEvent {
  return {
    type: 'usage',
    key: fields.text('key'),
    replaces: fields.text('replaces'),
    ...(fields.json('session_total') === true ? { isSessionTotal: true } : {}),
    report: {
      inputTokens: asCount(fields.json('input_tokens')),
      outputTokens: asCount(fields.json('output_tokens')),
      cachedTokens: asCount(fields.json('cached_tokens')),
      reasoningTokens: asCount(fields.json('reasoning_tokens')),
      costUsd: asUsd(fields.json('cost_usd')),
    },
  };
}

/** The event of one `emit`, or null for a name that carries nothing here (`artifact`). */
export function eventOf(emit: Emit, item: Json, maps: AdapterSpec['maps']): MappedEvent | null {
  const fields = new Fields(emit, item, maps);
  switch (emit.event) {
    case 'message': {
      const text = fields.text('text');
      return text === null
        ? null
        : { type: 'message', role: fields.text('role') ?? 'assistant', text, delta: fields.json('delta') === true };
    }
    case 'tool_call': {
      const status = callStatus(fields.text('status') ?? '');
      const summary = (fields.text('input_summary') ?? '').slice(0, MAX_SUMMARY_CHARS);
      return { type: 'tool_call', id: fields.text('id'), tool: fields.text('tool'), summary, status };
    }
    case 'usage':
      return usageOf(fields);
    case 'approval_requested':
      return {
        type: 'approval',
        id: fields.text('id'),
        capability: fields.text('capability') ?? '',
        rationale: fields.text('rationale') ?? '',
      };
    case 'input_requested':
      return { type: 'input', question: fields.text('question') ?? '' };
    case 'result':
      return resultOf(fields);
    case 'raw':
      return { type: 'raw', line: asText(item) };
    case 'started':
      return { type: 'started', version: fields.text('version'), model: fields.text('model') };
    case 'artifact':
      return null;
  }
}
