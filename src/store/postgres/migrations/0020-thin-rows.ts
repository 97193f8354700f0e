/**
 * Nothing: a row has a header of its own here, many times what is said twice in it, and a page is
 * read as it lies.
 */
export const THIN_ROWS = '';
