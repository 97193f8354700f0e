import type { Json } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';
import { atPointer, pointerParts } from '../../lib/json-pointer.js';
import { type KeyTrie, schemaKeys, stepInto } from '../keys/trie.js';
import type { SchemaKind } from './schema-kind.js';
import { anyOfWords } from './words.js';

/** More than so many blocks that could be meant are not help. */
const MAX_NAMED = 3;

/** Keys that the schemas have below a node by name. */
const named = ({ children }: KeyTrie): readonly (readonly [string, KeyTrie])[] =>
  [...children].filter(([key]) => key !== '*' && key !== '*_map');

/** Items of a map that are written and hold such a key, such as the root of `agents`. */
function itemsOf(node: KeyTrie, field: string, holder: unknown): readonly string[] {
  if (!isObject(holder) || node.children.get('*')?.children.has(field) !== true) return [];
  return Object.keys(holder).filter((key) => isObject(holder[key]));
}

/** The same of the maps beside the field: `agents.root`. */
const itemsBelow = (node: KeyTrie, field: string, holder: unknown): readonly string[] =>
  named(node).flatMap(([key, below]) =>
    isObject(holder) ? itemsOf(below, field, holder[key]).map((item) => `${key}.${item}`) : [],
  );

/** Blocks beside the field that hold such a key: those that are written, or else all. */
function blocksOf(node: KeyTrie, field: string, holder: unknown): readonly string[] {
  const blocks = named(node).flatMap(([key, below]) => (below.children.has(field) ? [key] : []));
  const written = blocks.filter((key) => isObject(holder) && key in holder);
  return written.length > 0 ? written : blocks;
}

/**
 * Where a key belongs that stands one level too far out or two too far in, or undefined. An item of
 * a list or of a map is one level with the key that holds it. `pointer` = the mapping that the key
 * stands in.
 */
export function misplacedHelp(
  kind: SchemaKind,
  document: Json,
  { pointer, field }: { readonly pointer: string; readonly field: string },
): string | undefined {
  const path: { readonly segment: string; readonly node: KeyTrie; readonly isItem: boolean }[] = [];
  let node = schemaKeys().children.get(kind);
  for (const segment of pointerParts(pointer)) {
    if (node === undefined) return undefined;
    const isItem: boolean = !node.children.has(segment);
    path.push({ segment, node, isItem });
    node = stepInto(node, segment) ?? undefined;
  }
  // A key that is known there stands in its place, whatever else is wrong with it.
  if (node === undefined || node.children.has(field)) return undefined;
  const around = atPointer(document, pointer);
  const found = [blocksOf, itemsOf, itemsBelow].map((look) => look(node, field, around));
  const blocks = (found.find(({ length }) => length > 0) ?? []).map((key) => `\`${key}\``);
  if (blocks.length > 0 && blocks.length <= MAX_NAMED) {
    const below = anyOfWords(blocks);
    return `\`${field}\` is a key of ${below}; indent it below ${blocks.length === 1 ? below : 'that'}`;
  }
  const [holder, further] = path.filter(({ isItem }) => !isItem).reverse();
  if (holder?.node.children.has(field) === true)
    return `\`${field}\` stands beside \`${holder.segment}\`, one level further out: indent it less`;
  return further?.node.children.has(field) === true
    ? `\`${field}\` stands beside \`${further.segment}\`, two levels further out: indent it less`
    : undefined;
}

/**
 * The same of a mapping that fits no form of its place: where the first of its keys belongs that
 * none of the forms has.
 */
export function misplacedIn(kind: SchemaKind, document: Json, pointer: string): string | undefined {
  const mapping = atPointer(document, pointer);
  if (!isObject(mapping)) return undefined;
  for (const field of Object.keys(mapping)) {
    const help = misplacedHelp(kind, document, { pointer, field });
    if (help !== undefined) return help;
  }
  return undefined;
}
