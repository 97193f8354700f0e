import { isObject, type Json } from '@kit-run/kit/plugin';
import type { AdapterProblem, Scalar } from './spec.js';

/**
 * Collects the problems of one adapter while its values are read; reading never stops at the first.
 */
export class SpecReader {
  readonly #problems: AdapterProblem[] = [];

  get problems(): readonly AdapterProblem[] {
    return this.#problems;
  }

  problem(pointer: string, message: string): void {
    this.#problems.push({ pointer, message });
  }

  object(value: Json | undefined, pointer: string): Readonly<Record<string, Json>> {
    if (value === undefined) return {};
    if (isObject(value)) return value;
    this.problem(pointer, 'must be an object');
    return {};
  }

  list(value: Json | undefined, pointer: string): readonly Json[] {
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    this.problem(pointer, 'must be a list');
    return [];
  }

  text(value: Json | undefined, pointer: string): string {
    if (typeof value === 'string') return value;
    this.problem(pointer, 'must be a string');
    return '';
  }

  texts(value: Json | undefined, pointer: string): readonly string[] {
    return this.list(value, pointer).map((item, index) => this.text(item, `${pointer}/${index}`));
  }

  textMap(value: Json | undefined, pointer: string): Readonly<Record<string, string>> {
    const entries = Object.entries(this.object(value, pointer));
    return Object.fromEntries(entries.map(([key, item]) => [key, this.text(item, `${pointer}/${key}`)]));
  }

  scalar(value: Json, pointer: string): Scalar {
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      return value;
    this.problem(pointer, 'must be a literal');
    return null;
  }

  scalarMap(value: Json | undefined, pointer: string): Readonly<Record<string, Scalar>> {
    const entries = Object.entries(this.object(value, pointer));
    return Object.fromEntries(entries.map(([key, item]) => [key, this.scalar(item, `${pointer}/${key}`)]));
  }
}
