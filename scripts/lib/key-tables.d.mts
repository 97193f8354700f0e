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
  readonly isListedAbove: boolean;
}

export function sampleOf(row: KeyRow): unknown;
export function meaningOf(row: KeyRow, words: Readonly<Record<string, string>>): string;
