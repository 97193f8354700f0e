import type { Diagnostic } from '../../domain/diagnostic.js';
import type { Json, JsonObject } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { Document } from '../document.js';
import { positionAt } from './positions.js';
import type { References } from './references.js';

export interface InterpolatedDocument {
  /** The tree with every reference expanded; what the schema judges. */
  readonly value: JsonObject;
  /**
   * The same tree with references kept where they are late-bound: what linking reads, and so what a
   * snapshot may hold.
   */
  readonly linked: JsonObject;
  /** Every name that the document uses. */
  readonly names: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

interface Walk {
  readonly document: Document;
  readonly references: References;
  readonly names: Set<string>;
  readonly diagnostics: Diagnostic[];
}

type Pair = { readonly value: Json; readonly linked: Json };

/**
 * Prose and shell text hold braces that are not a reference: outside strict places only a plausible
 * name is reported.
 */
const PLAUSIBLE_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

function report(
  walk: Walk,
  pointer: string,
  diagnostic: Pick<Diagnostic, 'code' | 'severity' | 'message' | 'help'>,
): void {
  const { source } = walk.document;
  walk.diagnostics.push({
    ...diagnostic,
    path: source.path,
    pointer,
    span: walk.document.spanOf(pointer),
  } as Diagnostic);
}

function reportUnresolved(walk: Walk, pointer: string, name: string, isStrict: boolean): void {
  if (!isStrict && !PLAUSIBLE_NAME.test(name)) return;
  report(walk, pointer, {
    code: 'interpolation.unresolved',
    severity: isStrict ? 'error' : 'warning',
    message: `nothing defines \`${name}\``,
    help: isStrict
      ? `set the variable ${name}, define it in workspace.env.yaml, or write a default: \${${name}:-...}`
      : `set it, give a default, or write $\${${name}} for the literal text`,
  });
}

function reportExposure(walk: Walk, pointer: string, name: string): void {
  const secrecy = walk.references.secrecyOf(name);
  if (secrecy === 'none' || walk.references.lookup(name) === undefined) return;
  report(walk, pointer, {
    code: 'interpolation.secret-exposed',
    severity: secrecy === 'declared' ? 'error' : 'warning',
    message: `the ${secrecy === 'declared' ? 'secret' : 'likely secret'} \`${name}\` would be stored with every run`,
    help: 'pass secrets through `credentials`, `env` or `headers`; only there a reference stays a reference',
  });
}

function walkText(walk: Walk, text: string, path: readonly string[]): Pair {
  const result = walk.references.resolve(text);
  if (result.references.length === 0) return { value: result.text, linked: result.text };
  const position = positionAt(walk.document.kind, path);
  const pointer = pointerTo('', ...path);
  for (const { name } of result.references) {
    walk.names.add(name);
    if (!position.lateBound) reportExposure(walk, pointer, name);
  }
  for (const name of result.unresolved) reportUnresolved(walk, pointer, name, position.strict);
  return { value: result.text, linked: position.lateBound ? text : result.text };
}

function walkValue(walk: Walk, value: Json, path: readonly string[]): Pair {
  if (typeof value === 'string') return walkText(walk, value, path);
  if (isObject(value)) return walkObject(walk, value, path);
  if (!Array.isArray(value)) return { value, linked: value };
  const pairs = value.map((child: Json, index) => walkValue(walk, child, [...path, String(index)]));
  return { value: pairs.map((pair) => pair.value), linked: pairs.map((pair) => pair.linked) };
}

function walkObject(
  walk: Walk,
  object: JsonObject,
  path: readonly string[],
): { value: JsonObject; linked: JsonObject } {
  const pairs = Object.entries(object).map(([key, child]): readonly [string, Pair] => [
    key,
    walkValue(walk, child, [...path, key]),
  ]);
  return {
    value: Object.fromEntries(pairs.map(([key, pair]) => [key, pair.value])),
    linked: Object.fromEntries(pairs.map(([key, pair]) => [key, pair.linked])),
  };
}

/**
 * Expands the references in every string value of a document; keys are never touched
 * (docs/design/workspace.md#interpolation).
 */
export function interpolateDocument(document: Document, references: References): InterpolatedDocument {
  const walk: Walk = { document, references, names: new Set(), diagnostics: [] };
  const { value, linked } = walkObject(walk, document.value, []);
  return { value, linked, names: walk.names, diagnostics: walk.diagnostics };
}
