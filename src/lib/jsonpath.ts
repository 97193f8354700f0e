import { hasPatternFilter, putLinearFilters } from './patterns/linear-filters.js';

/** Where a path matched: member names and array indexes from the root. */
export type JsonLocation = readonly (string | number)[];

/** One compiled RFC 9535 query. */
export interface JsonPath {
  readonly source: string;
  /** Every place that the query selects, in document order, without duplicates. */
  locate(value: unknown): readonly JsonLocation[];
}

export type JsonPathResult =
  | { readonly ok: true; readonly path: JsonPath }
  | { readonly ok: false; readonly message: string };

export interface JsonPaths {
  compile(source: string): JsonPathResult;
}

/**
 * Loads the RFC 9535 implementation. `queries` are those that will be compiled; default: any. The
 * engine for patterns is loaded where one of them may ask it; without it such a query does not
 * compile.
 */
export async function loadJsonPaths(queries?: readonly string[]): Promise<JsonPaths> {
  const { jsonpath } = await import('json-p3');
  const environment = new jsonpath.JSONPathEnvironment();
  const { functionRegister: functions } = environment;
  if (queries === undefined || queries.some(hasPatternFilter)) {
    const { RE2JS: engine } = await import('re2js');
    putLinearFilters(functions, { engine, strict: new jsonpath.functions.Search({ throwErrors: true }) });
  } else for (const name of ['match', 'search']) functions.delete(name);
  return {
    compile: (source) => {
      try {
        const query = environment.compile(source);
        return { ok: true, path: { source, locate: (value) => unique(locations(query, value)) } };
      } catch (error) {
        return { ok: false, message: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

interface Query {
  query(value: never): { readonly nodes: readonly { readonly location: readonly (string | number)[] }[] };
}

/**
 * The library types its argument as its own recursive JSON type; the cast only says that our value
 * is JSON.
 */
function locations(query: Query, value: unknown): readonly JsonLocation[] {
  return query.query(value as never).nodes.map((node) => node.location);
}

function unique(all: readonly JsonLocation[]): readonly JsonLocation[] {
  const seen = new Set<string>();
  return all.filter((location) => {
    const id = JSON.stringify(location);
    return seen.has(id) ? false : seen.add(id) !== undefined;
  });
}
