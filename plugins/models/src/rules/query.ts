import { isObject, type Json, type LinearPatterns } from '@kit-run/kit/plugin';
import type { JSONPathQuery } from 'json-p3';
import { isList } from '../shared/json.js';
import type { Found } from './node.js';

type JsonPath = typeof import('json-p3');

/**
 * What a query found. `missing` is not the same as `nodes: []`: an empty selection from a list that
 * exists is a fact.
 */
export type Selection =
  | {
      readonly kind: 'found';
      readonly nodes: readonly Found[] /** The last step selects members of lists, so each node is one of them. */;
      readonly isMembers: boolean;
    }
  | { readonly kind: 'missing' };

/**
 * Runs one JSONPath (RFC 9535); `$` is the children's results by name, `@` the value that is being
 * filled from.
 */
export type Select = (query: string, scope: Found) => Selection;

/** `linear`: what filters of the queries hold texts of children against patterns with. */
export function createSelect(jsonPath: JsonPath, root: Json, linear: LinearPatterns): Select {
  const environment = new jsonPath.JSONPathEnvironment();
  const strict = new jsonPath.jsonpath.functions.Search({ throwErrors: true });
  linear.putInto(environment.functionRegister, strict);
  return (query, scope) => {
    const isRelative = query.startsWith('@');
    const start = isRelative ? scope : { value: root, location: [] };
    return selectFrom(jsonPath, environment.compile(isRelative ? `$${query.slice(1)}` : query), start);
  };
}

/** The first of several queries, given as alternatives, that finds what it names. */
export function selectFirst(select: Select, queries: readonly string[], scope: Found): Selection {
  for (const query of queries) {
    const selection = select(query, scope);
    if (selection.kind === 'found') return selection;
  }
  return { kind: 'missing' };
}

function selectFrom(jsonPath: JsonPath, query: JSONPathQuery, start: Found): Selection {
  const { segments, environment } = query;
  const { selectors } = jsonPath.jsonpath;
  const isMany = (index: number): boolean => {
    const segment = segments[index];
    // A descendant step (`..`) starts from everything: that it finds nothing says nothing about a
    // list.
    if (segment === undefined || segment.toString().startsWith('..')) return false;
    return segment.selectors.some(
      (item) =>
        item instanceof selectors.FilterSelector ||
        item instanceof selectors.WildcardSelector ||
        item instanceof selectors.SliceSelector,
    );
  };
  const run = (length: number): Found[] => {
    const part = new jsonPath.JSONPathQuery(environment, segments.slice(0, length));
    // The library's value type is ours without readonly; it does not write to it.
    return [...part.query(start.value as never)].map((node) => ({
      value: node.value as Json,
      location: [...start.location, ...node.location],
    }));
  };

  const nodes = run(segments.length);
  const last = segments.findLastIndex((_, index) => isMany(index));
  if (nodes.length > 0) return { kind: 'found', nodes, isMembers: last === segments.length - 1 && last >= 0 };
  if (last === -1) return { kind: 'missing' };
  const hasList = run(last).some((node) => isList(node.value) || isObject(node.value));
  // Members were selected, but none has what the rest of the path names: that is a gap, not an
  // empty list.
  const isGap = run(last + 1).length > 0;
  return hasList && !isGap ? { kind: 'found', nodes: [], isMembers: true } : { kind: 'missing' };
}
