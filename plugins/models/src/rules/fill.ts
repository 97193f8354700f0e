import { isObject, type Json, type JsonSchema } from '@kit-run/kit/plugin';
import { childPointer, isList, objectOf, own, sameJson } from '../shared/json.js';
import { branchesOf, propertiesOf, requiredOf, resolveSchema, typesOf } from '../shared/schema.js';
import { accepts, type TestOf } from './accepts.js';
import { type Computed, countOf, type Nodes, sumOf } from './compute.js';
import { type ComputedHint, type Hint, hintOf } from './hints.js';
import { nearest } from './lookup.js';
import { type Filled, type Found, pathOf, taken, unfilled } from './node.js';
import { type Select, selectFirst } from './query.js';
import type { ChildResults } from './results.js';
import { type Status, statusOf } from './status.js';

interface Job {
  readonly results: ChildResults;
  readonly select: Select;
  readonly testOf: TestOf;
  readonly rootSchema: JsonSchema;
}

/**
 * One place of the answer: its schema, where it is filled from, its pointer, its name (null: a list
 * member or the root).
 */
interface Place {
  readonly schema: JsonSchema;
  readonly scope: Found;
  readonly pointer: string;
  readonly name: string | null;
}

/**
 * Deepest nesting of an answer: a schema may contain itself, the results of the children do not.
 */
const MAX_DEPTH = 64;

/**
 * Fills a schema from the children's results. Every leaf is a value of theirs, or a count, sum or
 * status over them; a required place without such a value fails the whole, an optional one is left
 * out. Throws on hints that cannot be read.
 */
export function fillSchema(
  schema: JsonSchema,
  results: ChildResults,
  by: { readonly select: Select; readonly testOf: TestOf },
): Filled {
  const scope = { value: results.root, location: [] };
  return fill({ results, ...by, rootSchema: schema }, { schema, scope, pointer: '', name: null }, 0);
}

function fill(job: Job, place: Place, depth: number): Filled {
  if (depth > MAX_DEPTH) return unfilled(place.pointer, 'the schema nests without end');
  const schema = resolveSchema(place.schema, job.rootSchema);
  const branches = branchesOf(schema);
  if (branches.length > 0) return fillBranches(job, place, branches, depth);
  const hint = hintOf(schema);
  const here = { ...place, schema };
  if (hint.kind === 'count' || hint.kind === 'sum' || hint.kind === 'status') return fillComputed(job, here, hint);
  const types = typesOf(schema);
  // `type: [object, null]`: each type is an alternative of its own, for they are filled in
  // different ways.
  if (types.length > 1 && types.some((type) => type === 'object' || type === 'array')) {
    return fillBranches(
      job,
      here,
      types.map((type) => ({ ...schema, type })),
      depth,
    );
  }
  if (types.includes('object') && Object.keys(propertiesOf(schema)).length > 0)
    return fillObject(job, here, hint, depth);
  if (types.includes('array') && own(schema, 'items') !== undefined) return fillList(job, here, hint, depth);
  return fillWhole(job, here, hint);
}

function fillBranches(job: Job, place: Place, branches: readonly JsonSchema[], depth: number): Filled {
  const tried = branches.map((schema) => fill(job, { ...place, schema }, depth + 1));
  return tried.find((result) => result.ok) ?? tried[0] ?? unfilled(place.pointer, 'the schema allows nothing');
}

/** A count, sum or status. */
function fillComputed(job: Job, place: Place, hint: ComputedHint): Filled {
  const { pointer, schema } = place;
  const query = hint.queries.find((text) => job.select(text, place.scope).kind === 'found');
  const selection = query === undefined ? undefined : job.select(query, place.scope);
  if (selection?.kind !== 'found') return unfilled(pointer, missing(hint.queries));
  const result = compute(job, hint, selection, schema);
  if (!result.ok) return unfilled(pointer, result.reason);
  if (!accepts(schema, result.value, job))
    return unfilled(pointer, `the ${hint.kind} ${JSON.stringify(result.value)} does not fit the schema`);
  return taken(pointer, result.value, `${hint.kind}(${query})`);
}

function compute(job: Job, hint: ComputedHint, selection: Nodes, schema: JsonSchema): Computed | Status {
  if (hint.kind === 'sum') return sumOf(selection);
  if (hint.kind === 'status')
    return statusOf({ nodes: selection.nodes, failed: job.results.failed, schema, order: hint.order });
  return { ok: true, value: countOf(selection) };
}

/** A leaf, or an object or list that the schema leaves open: taken as it is. */
function fillWhole(job: Job, place: Place, hint: Hint): Filled {
  const isUsable = (value: Json): boolean => accepts(place.schema, value, job);
  const located = locate(job, place, hint, isUsable);
  if (!located.ok) return unfilled(place.pointer, located.reason);
  const usable = located.nodes.filter((node) => isUsable(node.value));
  const [first] = usable;
  if (first === undefined) return unfilled(place.pointer, 'no value found there fits the schema');
  if (!usable.every((node) => sameJson(node.value, first.value)))
    return unfilled(place.pointer, ambiguous(usable.map((node) => pathOf(node.location))));
  return taken(place.pointer, first.value, pathOf(first.location));
}

function fillObject(job: Job, place: Place, hint: Hint, depth: number): Filled {
  const located = locate(job, place, hint, isObject);
  // No object of that name: the object is a grouping of the answer's own, filled from where its
  // parent is filled from.
  if (!located.ok && !located.isUnnamed) return unfilled(place.pointer, located.reason);
  const objects = located.ok ? located.nodes.filter((node) => isObject(node.value)) : [];
  const [first] = objects;
  if (located.ok && first === undefined) return unfilled(place.pointer, 'no object found there');
  if (first !== undefined && !objects.every((node) => sameJson(node.value, first.value))) {
    return unfilled(place.pointer, ambiguous(objects.map((node) => pathOf(node.location))));
  }
  return fillProperties(job, { ...place, scope: first ?? place.scope }, depth, !located.ok);
}

function fillProperties(job: Job, place: Place, depth: number, isGrouping: boolean): Filled {
  const properties = propertiesOf(place.schema);
  const required = new Set(requiredOf(place.schema));
  const values: (readonly [string, Json])[] = [];
  const sources: (readonly [string, string])[] = [];
  for (const name of new Set([...Object.keys(properties), ...required])) {
    const schema = own(properties, name);
    const part = fill(
      job,
      { schema: isObject(schema) ? schema : {}, scope: place.scope, pointer: childPointer(place.pointer, name), name },
      depth + 1,
    );
    if (part.ok) {
      values.push([name, part.value]);
      sources.push(...part.sources);
    } else if (required.has(name)) return part;
  }
  if (values.length === 0 && isGrouping) return unfilled(place.pointer, `no child result has "${place.name}"`);
  return { ok: true, value: objectOf(values), sources };
}

function fillList(job: Job, place: Place, hint: Hint, depth: number): Filled {
  const located = locate(job, place, hint, isList);
  if (!located.ok) return unfilled(place.pointer, located.reason);
  if (hint.kind === 'name' && !located.nodes.every((node) => isList(node.value)))
    return unfilled(place.pointer, 'there is no list to fill it from');
  const itemSchema = own(place.schema, 'items');
  const members = located.nodes.flatMap((node) => membersOf(node, hint, itemSchema, job.rootSchema));
  const values: Json[] = [];
  const sources: (readonly [string, string])[] = [[place.pointer, located.label]];
  for (const [index, scope] of members.entries()) {
    const schema = isObject(itemSchema) ? itemSchema : {};
    const part = fill(job, { schema, scope, pointer: childPointer(place.pointer, index), name: null }, depth + 1);
    if (!part.ok) return part;
    values.push(part.value);
    sources.push(...part.sources);
  }
  return { ok: true, value: values, sources };
}

/**
 * A found list stands for its members, unless a query selected it as a member of a list of lists.
 */
function membersOf(node: Found, hint: Hint, itemSchema: Json | undefined, rootSchema: JsonSchema): readonly Found[] {
  const isMember = hint.kind === 'from' && typesOf(resolveSchema(itemSchema, rootSchema)).includes('array');
  if (!isList(node.value) || isMember) return [node];
  return node.value.map((value, index) => ({ value, location: [...node.location, index] }));
}

type Located =
  | {
      readonly ok: true;
      readonly nodes: readonly Found[] /** The source of a list as a whole. */;
      readonly label: string;
    }
  | {
      readonly ok: false;
      readonly reason: string /** Nothing has that name (as against: a hint failed, or the name is ambiguous). */;
      readonly isUnnamed: boolean;
    };

function locate(job: Job, place: Place, hint: Hint, isUsable: (value: Json) => boolean): Located {
  if (hint.kind === 'from') {
    const selection = selectFirst(job.select, hint.queries, place.scope);
    if (selection.kind === 'missing') return { ok: false, reason: missing(hint.queries), isUnnamed: false };
    return { ok: true, nodes: selection.nodes, label: hint.queries.join(' | ') };
  }
  if (place.name === null) return { ok: true, nodes: [place.scope], label: pathOf(place.scope.location) };
  const found = nearest(place.name, place.scope, isUsable);
  if (found.kind === 'found') return { ok: true, nodes: [found.node], label: pathOf(found.node.location) };
  if (found.kind === 'ambiguous') return { ok: false, reason: ambiguous(found.places), isUnnamed: false };
  return { ok: false, reason: `no child result has "${place.name}"`, isUnnamed: true };
}

function missing(queries: readonly string[]): string {
  return `no child result has ${queries.join(' or ')}`;
}

function ambiguous(places: readonly string[]): string {
  return `several results differ (${places.slice(0, 4).join(', ')}); name one with \`x-from\``;
}
