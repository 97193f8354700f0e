/** `refuse`: it governs, limits, secures or changes the result. `warn`: it adds something. */
export type Mark = 'refuse' | 'warn';

/**
 * State of one schema key. Paths are `<Kind>.<key>...`; `*` stands for an item of a list or a key
 * of a map.
 */
export type KeyRow =
  | {
      readonly key: string;
      readonly state: 'in-force';
      /**
       * Carried for people who read the file: no run and no verdict depends on it, and a test holds
       * it to that.
       */
      readonly isLabel?: true;
    }
  | {
      readonly key: string;
      readonly state: 'not-yet';
      readonly mark: Mark;
      /** The block that is reported once for all of its keys. */
      readonly block: string;
      /** A use of that key says it already: this one occurs only beside it. */
      readonly impliedBy?: string;
    };

const joined = (base: string, keys: readonly string[]): readonly string[] =>
  keys.map((key) => (key === '' ? base : `${base}.${key}`));

/** Keys that some code path consumes. */
export const inForce = (base: string, keys: readonly string[]): readonly KeyRow[] =>
  joined(base, keys).map((key) => ({ key, state: 'in-force' }));

/** Keys that people read and nothing else does: names, descriptions, provenance. */
export const labels = (base: string, keys: readonly string[]): readonly KeyRow[] =>
  joined(base, keys).map((key) => ({ key, state: 'in-force', isLabel: true }));

/** Head of every artifact with a description. */
export const described = (kind: string, hasPlainDescription = true): readonly KeyRow[] => [
  ...inForce(kind, ['apiVersion', 'kind', 'metadata.id']),
  ...labels(kind, ['metadata.name', ...(hasPlainDescription ? ['metadata.description'] : [])]),
  ...labels(`${kind}.provenance`, ['authored_by', 'version', 'authored_date', 'registry', 'vendor']),
];
