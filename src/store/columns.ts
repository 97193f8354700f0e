/** Values of a row's columns as every dialect binds them. */
export type RowParams<Column extends string = string> = Readonly<Record<Column, string | number | null>>;

type Snake<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : S;
type Plain = string | number | null;

/** `plain`: as it is. `mark`: 0 or 1. `json`: as text. `json?`: the same, and null is NULL. */
type Holds<V> = [V] extends [boolean]
  ? 'mark'
  : [V] extends [Plain]
    ? 'plain'
    : null extends V
      ? 'json' | 'json?'
      : 'json';
type Held<V> = [V] extends [boolean] ? number : [V] extends [Plain] ? V : null extends V ? string | null : string;

/** How the rows of a table hold a value: a column for each member, by its name. */
export type Columns<T> = { readonly [K in keyof T & string as Snake<K>]: Holds<T[K]> };

/** Such a row as both dialects return it. */
export type RowOf<T> = { readonly [K in keyof T & string as Snake<K>]: Held<T[K]> };

/** A table whose rows hold values of this type. */
export interface Table<T> {
  readonly encode: (value: T) => RowOf<T> & RowParams;
  /** Restores what `encode` and the checks of the table let in; other columns are left out. */
  readonly decode: (row: RowOf<T>) => T;
  /** A statement for a whole row. */
  readonly insert: string;
  /** A statement that sets these columns, and no others. */
  readonly update: (columns: readonly (keyof RowOf<T> & string)[], where: string) => string;
}

type Holding = 'plain' | 'mark' | 'json' | 'json?';

const memberOf = (column: string): string =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function encoded(value: unknown, holding: Holding): unknown {
  switch (holding) {
    case 'plain':
      return value;
    case 'mark':
      return value === true ? 1 : 0;
    case 'json':
      return JSON.stringify(value);
    case 'json?':
      return value === null ? null : JSON.stringify(value);
  }
}

function decoded(held: unknown, holding: Holding): unknown {
  switch (holding) {
    case 'plain':
      return held;
    case 'mark':
      return held === 1;
    case 'json':
    case 'json?':
      return held === null ? null : JSON.parse(String(held));
  }
}

// The casts stand here once for all rows: `Columns` holds the list to the members and their types.
export function tableOf<T extends object>(name: string, columns: Columns<T>): Table<T> {
  const names = Object.keys(columns);
  const held = Object.entries(columns as Readonly<Record<string, Holding>>).map(
    ([column, holding]) => ({ column, holding, member: memberOf(column) }) as const,
  );
  return {
    encode: (value) => {
      const row: Record<string, unknown> = {};
      for (const { column, member, holding } of held) row[column] = encoded(value[member as keyof T], holding);
      return row as RowOf<T> & RowParams;
    },
    decode: (row) => {
      const value: Record<string, unknown> = {};
      for (const { column, member, holding } of held) value[member] = decoded(row[column as keyof RowOf<T>], holding);
      return value as T;
    },
    insert: `INSERT INTO ${name} (${names.join(', ')}) VALUES (${names.map((column) => `@${column}`).join(', ')})`,
    update: (changed, where) =>
      `UPDATE ${name} SET ${changed.map((column) => `${column} = @${column}`).join(', ')} WHERE ${where}`,
  };
}
