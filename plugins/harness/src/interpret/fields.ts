import { isReportedCount, isReportedUsd, type Json } from '@kit-run/kit/plugin';
import type { AdapterSpec, FieldSource } from '../adapter/spec.js';
import type { CallStatus } from './mapped-event.js';
import { valueAt } from './path.js';

const OK = new Set(['ok', 'success', 'succeeded', 'completed', 'complete', 'done']);
const ERROR = new Set(['error', 'failed', 'failure', 'denied', 'rejected', 'timeout', 'cancelled', 'aborted']);

/**
 * Every harness has its own word for how a call ended; what is neither good nor bad (pending,
 * running) is open.
 */
export function callStatus(word: string): CallStatus {
  if (OK.has(word)) return 'ok';
  return ERROR.has(word) ? 'error' : '';
}

/** One field of an event; undefined when the line does not have it. */
export function fieldValue(source: FieldSource | undefined, item: Json, maps: AdapterSpec['maps']): Json | undefined {
  if (source === undefined) return undefined;
  switch (source.kind) {
    case 'literal':
      return source.value;
    case 'path':
      return valueAt(item, source.path);
    case 'lookup': {
      const table = maps[source.map] ?? {};
      const key = asText(valueAt(item, source.path) ?? '');
      return Object.hasOwn(table, key) ? table[key] : table._default;
    }
  }
}

/** Text as it is, anything else as JSON. */
export function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const numberOf = (value: Json | undefined): number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN;

/** A cost, or null where it is none that a call can have; numeric text counts. */
export function asUsd(value: Json | undefined): number | null {
  const number = numberOf(value);
  return isReportedUsd(number) ? number : null;
}

/** Tokens, which are whole, or null; numeric text counts. */
export function asCount(value: Json | undefined): number | null {
  const number = numberOf(value);
  return number >= 0 && isReportedCount(Math.trunc(number)) ? Math.trunc(number) : null;
}
