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

/** Loads the RFC 9535 implementation. */
export async function loadJsonPaths(): Promise<JsonPaths> {
  const { jsonpath } = await import('json-p3');
  return {
    compile: (source) => {
      try {
        const query = jsonpath.compile(source);
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
