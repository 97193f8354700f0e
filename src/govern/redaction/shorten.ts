import type { Json } from '../../domain/json.js';
import type { AuditDetail } from './policy.js';

/** `summary` keeps the beginning of the string form (docs/design/execution.md#redaction). */
export const SUMMARY_CHARS = 200;

/** What stands in an event for a value that is logged in short. */
export interface Summary {
  readonly summary: string;
  readonly type: 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';
  /** UTF-16 code units of the whole string form. */
  readonly length: number;
}

/** undefined = the field is left out of the event. */
export function shorten(value: Json, detail: AuditDetail): Json | undefined {
  switch (detail) {
    case 'full':
      return value;
    case 'summary':
      return { ...summaryOf(value) };
    default:
      return undefined;
  }
}

function summaryOf(value: Json): Summary {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { summary: text.slice(0, SUMMARY_CHARS).toWellFormed(), type: typeOf(value), length: text.length };
}

function typeOf(value: Json): Summary['type'] {
  if (value === null) return 'null';
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return typeof value as 'boolean' | 'number' | 'string';
  return Array.isArray(value) ? 'array' : 'object';
}
