import type { KeyRow } from './key-tables.mjs';

/** What one plugin is configured with. */
export interface ConfigRows {
  /** Of the plugin and the file: `auth/jwt`. */
  readonly name: string;
  /** Path of the schema, from the root. */
  readonly path: string;
  readonly schema: { readonly title: string };
  readonly rows: readonly KeyRow[];
}

export function configRows(): Promise<readonly ConfigRows[]>;
