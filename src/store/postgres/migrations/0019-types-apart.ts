/** Nothing: an index costs a commit of this dialect an entry, and not a page. */
export const TYPES_APART = '';
