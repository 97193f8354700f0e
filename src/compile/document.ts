import type { Kind } from '../domain/artifact.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { ParsedSource } from './parse/parsed-source.js';

/**
 * One parsed file that carries the kind of its folder. `value` is as written, before interpolation.
 */
export interface Document extends ParsedSource {
  readonly kind: Kind;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
