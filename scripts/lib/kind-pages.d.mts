/** A declaration of a key: a JSON Schema. */
export interface KeySchema {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $ref?: string;
  readonly items?: unknown;
  readonly additionalProperties?: unknown;
  readonly 'x-default'?: unknown;
  readonly 'x-unit'?: string;
}

/** One key of a kind. */
export interface KeyRow {
  readonly path: string;
  readonly declared: readonly KeySchema[];
  readonly items: readonly KeySchema[];
  readonly values: readonly KeySchema[];
  readonly isRequired: boolean;
  readonly isToldAbove: boolean;
}

export interface KindRows {
  readonly name: string;
  readonly folder: string;
  /** Path of a whole file of the kind, from the root. */
  readonly example: string;
  readonly schema: { readonly title: string };
  readonly rows: readonly KeyRow[];
}

export function sampleOf(row: KeyRow): unknown;
export function meaningOf(row: KeyRow, words: Readonly<Record<string, string>>): string;
export function kindRows(root: string): Promise<readonly KindRows[]>;
export function kindPages(root: string): Promise<{
  readonly pages: ReadonlyMap<string, string>;
  readonly since: Readonly<Record<string, Readonly<Record<string, string>>>>;
}>;
