import type { KeyRow } from './key-tables.mjs';

export interface KindRows {
  readonly name: string;
  readonly folder: string;
  /** Path of a whole file of the kind, from the root. */
  readonly example: string;
  readonly schema: { readonly title: string };
  readonly rows: readonly KeyRow[];
}

export function kindRows(root: string): Promise<readonly KindRows[]>;
export function kindPages(root: string): Promise<{
  readonly pages: ReadonlyMap<string, string>;
  readonly since: Readonly<Record<string, Readonly<Record<string, string>>>>;
}>;
