/** Values of a row's columns as every dialect binds them. */
export type RowParams<Column extends string = string> = Readonly<Record<Column, string | number | null>>;

/**
 * A mark as a column holds it: neither dialect of ours uses a boolean, so rows move between them as
 * they are.
 */
export const flag = (isMarked: boolean): 0 | 1 => (isMarked ? 1 : 0);

export const isSet = (column: number): boolean => column === 1;
