import type { JsonSchema } from '@kit-run/kit/plugin';
import { own } from '../shared/json.js';
import { typesOf } from '../shared/schema.js';

/**
 * 0 if the bounds allow it, else the allowed number next to the lower bound, else the one next to
 * the upper.
 */
export function sampleNumber(schema: JsonSchema): number {
  const isInteger = typesOf(schema)[0] === 'integer';
  const step = numberAt(schema, 'multipleOf') ?? (isInteger ? 1 : null);
  const above = numberAt(schema, 'exclusiveMinimum');
  const below = numberAt(schema, 'exclusiveMaximum');
  const low = Math.max(numberAt(schema, 'minimum') ?? -Infinity, above ?? -Infinity);
  const high = Math.min(numberAt(schema, 'maximum') ?? Infinity, below ?? Infinity);
  const fits = (value: number): boolean => value >= low && value <= high && value !== above && value !== below;

  const up =
    step === null ? [low, middle(low, high)] : [Math.ceil(low / step) * step, (Math.floor(low / step) + 1) * step];
  const down = step === null ? [high] : [Math.floor(high / step) * step, (Math.ceil(high / step) - 1) * step];
  const found = [0, ...up, ...down].find((value) => Number.isFinite(value) && fits(value));
  if (found === undefined) throw new Error('the output schema has a number without a value between its bounds');
  return found;
}

function middle(low: number, high: number): number {
  if (Number.isFinite(high)) return Number.isFinite(low) ? (low + high) / 2 : high - 1;
  return low + 1;
}

function numberAt(schema: JsonSchema, key: string): number | null {
  const value = own(schema, key);
  return typeof value === 'number' ? value : null;
}
