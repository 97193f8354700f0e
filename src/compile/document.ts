import type { Kind } from '../domain/artifact.js';
import type { Json } from '../domain/json.js';
import type { ParsedSource } from './parse/parsed-source.js';

/**
 * One parsed file that carries the kind of its folder. `value` is as written, before interpolation.
 */
export interface Document extends ParsedSource {
  readonly kind: Kind;
}

export const isArray = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
