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
