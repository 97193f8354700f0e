import { isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';
import { badParams } from './failure.js';

/** A member, absent for null: clients write members that they have nothing for. */
export function memberOf(of: JsonObject, name: string): Json | undefined {
  const value = Object.hasOwn(of, name) ? of[name] : undefined;
  return value === null ? undefined : value;
}

/** An object, or undefined where there is none. Throws -32602. */
export function objectOf(of: JsonObject, name: string, where: string): JsonObject | undefined {
  const value = memberOf(of, name);
  if (value === undefined || isObject(value)) return value;
  throw badParams(`${where}.${name} is not an object`);
}

/**
 * A text of at most `maxChars`, without NUL, which no store keeps; empty is absent, as Protocol
 * Buffers write it. Throws -32602.
 */
export function textOf(of: JsonObject, name: string, where: string, maxChars = 1024): string | undefined {
  const value = memberOf(of, name);
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw badParams(`${where}.${name} is not text`);
  if (value.length > maxChars) throw badParams(`${where}.${name} has more than ${maxChars} characters`);
  if (value.includes('\u0000')) throw badParams(`${where}.${name} holds a NUL character`);
  return value;
}

/** Throws -32602. */
export function flagOf(of: JsonObject, name: string, where: string): boolean | undefined {
  const value = memberOf(of, name);
  if (value === undefined || typeof value === 'boolean') return value;
  throw badParams(`${where}.${name} is neither true nor false`);
}

/** A whole number of at least `least`. Throws -32602. */
export function countOf(of: JsonObject, name: string, where: string, least: number): number | undefined {
  const value = memberOf(of, name);
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw badParams(`${where}.${name} is not a whole number of at least ${least}`);
}
