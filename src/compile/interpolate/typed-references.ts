import type { Json, JsonObject } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';
import { atPointer, pointerParts } from '../../lib/json-pointer.js';

/** One place where the schema wants other types than text; `types` in the words of JSON Schema. */
export interface TypedPlace {
  readonly pointer: string;
  readonly types: readonly string[];
}

interface Trees {
  readonly value: JsonObject;
  readonly linked: JsonObject;
}

/** A reference that is the whole scalar, so that what it stands for is the value itself. */
const ALONE = /^\$\{[^}]*\}$/;

/** True for a written text that is one reference and nothing else. */
export const isLoneReference = (text: unknown): boolean => typeof text === 'string' && ALONE.test(text);

/**
 * Puts numbers, true and false where the schema asks for them and the author wrote a reference
 * alone: `port: ${PORT:-8080}`. Only a text that is exactly one in JSON is taken for it; any other
 * stays a text, which the schema then refuses. The same trees where there is nothing to put.
 *
 * @param written The document before its references were expanded.
 * @param trees What the references stand for, as the schema judges it and as linking reads it.
 * @param places Where the schema found a text and wants something else.
 */
export function withTypedReferences(written: JsonObject, trees: Trees, places: readonly TypedPlace[]): Trees {
  let { value, linked } = trees;
  for (const { pointer, types } of places) {
    const text = atPointer(value, pointer);
    if (typeof text !== 'string' || !isLoneReference(atPointer(written, pointer))) continue;
    const typed = typedText(text, types);
    if (typed === null) continue;
    value = withAt(value, pointer, typed);
    linked = withAt(linked, pointer, typed);
  }
  return { value, linked };
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function typedText(text: string, types: readonly string[]): number | boolean | null {
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (!NUMBER.test(text)) return null;
  const number = Number(text);
  if (types.includes('number') && Number.isFinite(number)) return number;
  return types.includes('integer') && Number.isSafeInteger(number) ? number : null;
}

function withAt(tree: JsonObject, pointer: string, leaf: Json): JsonObject {
  const [part = '', ...rest] = pointerParts(pointer);
  return withMember(tree, { part, rest, leaf });
}

interface At {
  readonly part: string;
  readonly rest: readonly string[];
  readonly leaf: Json;
}

const withMember = (tree: JsonObject, at: At): JsonObject =>
  Object.fromEntries(Object.entries(tree).map(([key, child]) => [key, key === at.part ? below(child, at) : child]));

function below(child: Json, { rest: [part, ...rest], leaf }: At): Json {
  if (part === undefined) return leaf;
  if (Array.isArray(child))
    return child.map((item: Json, index) => (String(index) === part ? below(item, { part, rest, leaf }) : item));
  return isObject(child) ? withMember(child, { part, rest, leaf }) : child;
}
