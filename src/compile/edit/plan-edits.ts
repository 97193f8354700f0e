import { isAlias, isMap, isNode, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import type { Json, JsonObject } from '../../domain/json.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { isObject } from '../../lib/json.js';
import { own } from '../../lib/own.js';
import { isArray } from '../document.js';
import { alignItems } from './align-items.js';
import { contentEnd, isBlock, isBlockScalar, keyText, type Places, startOf } from './places.js';
import { renderBehindKey, renderFlow, renderItem, renderPair, renderScalar, type Style } from './render.js';

/** One replacement in a text; an insertion when both offsets are the same. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Paper {
  readonly places: Places;
  readonly style: Style;
}

/**
 * Null: what is there cannot be changed in place, so the value as a whole is written anew by
 * whoever holds it.
 */
type Plan = readonly Splice[] | null;

const isSame = (a: Json, b: Json): boolean => canonicalJson(a) === canonicalJson(b);

/**
 * The replacements that make a value of the text equal to `next`; what did not change is not
 * touched.
 */
export function planValue(paper: Paper, node: unknown, old: Json, next: Json, inBrackets = false): Plan {
  if (isSame(old, next)) return [];
  if (!isNode(node) || isAlias(node)) return null;
  if (isScalar(node)) return planScalar(paper, node, next, inBrackets);
  const fits = isMap(node) ? isObject(next) && Object.keys(next).length > 0 : isArray(next) && next.length > 0;
  if (!isBlock(node)) return planBrackets(paper, node, old, next);
  if (!fits) return null;
  if (isMap(node) && isObject(old) && isObject(next)) return planMap(paper, node, old, next);
  return isSeq(node) && isArray(old) && isArray(next) ? planList(paper, node, old, next) : null;
}

function planScalar(
  paper: Paper,
  node: Node & { type?: unknown; tag?: unknown },
  next: Json,
  inBrackets: boolean,
): Plan {
  const [start, end] = node.range ?? [0, 0];
  if (typeof next === 'object' && next !== null) return null;
  if (
    start === end ||
    isBlockScalar(node) ||
    node.tag !== undefined ||
    paper.places.text.slice(start, end).includes('\n')
  )
    return null;
  const text = renderScalar(next, isScalar(node) ? node.type : undefined, inBrackets);
  return text === null ? null : [{ start, end, text }];
}

/**
 * Inside brackets single values change in place; another shape writes the brackets anew, on one
 * line if they were.
 */
function planBrackets(paper: Paper, node: Node, old: Json, next: Json): Plan {
  const inPlace = planMembers(paper, node, old, next);
  if (inPlace !== null) return inPlace;
  const isKind = isMap(node) ? isObject(next) : isArray(next);
  const [start, end] = node.range ?? [0, 0];
  if (!isKind || end === 0) return null;
  const { places, style } = paper;
  const before = places.text.slice(start, end);
  const indent = places.columnOf(start) - places.text.slice(places.lineStart(start), start).trimStart().length;
  return [{ start, end, text: renderFlow(next, before, Math.max(0, indent), style) }];
}

function planMembers(paper: Paper, node: Node, old: Json, next: Json): Plan {
  const plans: Plan[] = [];
  if (isSeq(node) && isArray(old) && isArray(next) && old.length === next.length) {
    for (const [at, item] of node.items.entries())
      plans.push(planValue(paper, item, old[at] ?? null, next[at] ?? null, true));
  } else if (
    isMap(node) &&
    isObject(old) &&
    isObject(next) &&
    isSame(Object.keys(old).sort(), Object.keys(next).sort())
  ) {
    for (const pair of node.items) {
      const key = keyText(pair);
      if (key === null) return null;
      plans.push(planValue(paper, pair.value, own(old, key) ?? null, own(next, key) ?? null, true));
    }
  } else return null;
  return joined(plans);
}

const joined = (plans: readonly Plan[]): Plan =>
  plans.some((plan) => plan === null) ? null : plans.flatMap((plan) => plan ?? []);

function planMap(paper: Paper, node: YAMLMap, old: JsonObject, next: JsonObject): Plan {
  const { places, style } = paper;
  const column = places.columnOf(startOf(node));
  const plans: Plan[] = [];
  for (const [at, pair] of node.items.entries()) {
    const key = keyText(pair);
    if (key === null) return null;
    const wanted = own(next, key);
    if (wanted === undefined) plans.push(removedPair(paper, pair, node.items[at + 1]));
    else
      plans.push(
        planValue(paper, pair.value, own(old, key) ?? null, wanted) ?? [
          rewritten(paper, keyEnd(pair), pair.value, renderBehindKey(wanted, column, style)),
        ],
      );
  }
  const end = places.lineEnd(contentEnd(node));
  for (const [key, value] of Object.entries(next)) {
    if (own(old, key) === undefined) plans.push([newLines(paper, end, column, renderPair(key, value, column, style))]);
  }
  return joined(plans);
}

const keyEnd = (pair: Pair<unknown, unknown>): number => contentEnd(pair.key);

function removedPair(
  { places }: Paper,
  pair: Pair<unknown, unknown>,
  following: Pair<unknown, unknown> | undefined,
): Plan {
  const start = isNode(pair.key) ? startOf(pair.key) : 0;
  const end = places.lineEnd(contentEnd(pair));
  if (places.opensLine(start)) return [{ start: places.lineStart(start), end, text: '' }];
  // It shares its line with the dash of its list: what follows moves up beside the dash.
  const nextStart = isNode(following?.key) ? startOf(following.key) : null;
  if (nextStart === null || places.text.slice(end, nextStart).trim() !== '') return null;
  return [{ start, end: nextStart, text: '' }];
}

function planList(paper: Paper, node: YAMLSeq, old: readonly Json[], next: readonly Json[]): Plan {
  const { places, style } = paper;
  const column = places.columnOf(startOf(node));
  const dashes = node.items.map((item, at) =>
    at === 0 ? startOf(node) : isNode(item) ? dashBefore(places, startOf(item), column) : -1,
  );
  if (dashes.some((dash) => dash < 0)) return null;
  const behind = (at: number): number => places.lineEnd(contentEnd(node.items[at]) || (dashes[at] ?? 0));
  const plans = alignItems(old, next).map((step): Plan => {
    const dash = 'old' in step ? (dashes[step.old] ?? 0) : 0;
    if (step.do === 'keep') {
      const [item, wanted] = [node.items[step.old], next[step.next] ?? null];
      return (
        planValue(paper, item, old[step.old] ?? null, wanted) ?? [
          rewritten(paper, dash + 1, item, renderItem(wanted, column, style).slice(1)),
        ]
      );
    }
    if (step.do === 'remove')
      return places.opensLine(dash) ? [{ start: places.lineStart(dash), end: behind(step.old), text: '' }] : null;
    const lines = renderItem(next[step.next] ?? null, column, style);
    if (step.after >= 0) return [newLines(paper, behind(step.after), column, lines)];
    const first = dashes[0] ?? 0;
    return places.opensLine(first) ? [newLines(paper, places.lineStart(first), column, lines)] : null;
  });
  return joined(plans);
}

function dashBefore(places: Places, start: number, column: number): number {
  for (let at = start - 1; at >= 0; at--) if (places.text[at] === '-' && places.columnOf(at) === column) return at;
  return -1;
}

/** Whole lines at the start of a line, or behind a last line without a line break. */
function newLines({ places, style }: Paper, at: number, column: number, lines: string): Splice {
  const text = ' '.repeat(column) + lines;
  const isCut = at === places.text.length && at > 0 && places.text[at - 1] !== '\n';
  return { start: at, end: at, text: isCut ? style.eol + text : text + style.eol };
}

/** What stands behind the key of a block on its line, with the blanks before it. */
function commentOf(line: string): string {
  const at = line.search(/[ \t]#/);
  return at < 0 ? '' : line.slice(line.slice(0, at).trimEnd().length);
}

/**
 * A value written anew from `start` (behind its key or dash); the comment of its first line stays
 * there.
 */
function rewritten({ places }: Paper, start: number, value: unknown, fresh: string): Splice {
  const { text } = places;
  const last = contentEnd(value) || start + (text[start] === ':' ? 1 : 0);
  let end = text.slice(0, Math.max(last, start)).replace(/\r?\n$/, '').length;
  const isOneLine = !isBlock(value) && !isBlockScalar(value);
  const from = isOneLine ? end : start;
  const rest = text.slice(from, places.lineEnd(from)).replace(/\r?\n$/, '');
  const comment = isOneLine ? (/^[ \t]+#.*$/.exec(rest)?.[0] ?? '') : commentOf(rest);
  if (isOneLine) end += comment.length;
  const [first = '', ...others] = fresh.split('\n');
  const head = first.endsWith('\r') ? `${first.slice(0, -1)}${comment}\r` : first + comment;
  return { start, end, text: [head, ...others].join('\n') };
}
