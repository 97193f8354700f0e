/** How a result of a tool is made shorter on its way into a conversation (execution.md 2.5). */
export type CompressionBackend = 'off' | 'columnar' | 'headtail' | 'plugin';

export interface CompressionRule {
  readonly backend: CompressionBackend;
  /** Contribution to `compressors`, where the backend is `plugin`. */
  readonly backendClass: string | null;
  /** Shorter results are left alone, in characters. */
  readonly minBytes: number;
}

/** `context_compression` as the workspace writes it; KIT_CONTEXT_COMPRESSION and its MIN_BYTES come over it at submit. Plain JSON. */
export interface CompressionPolicy extends CompressionRule {
  /** The first that fits the name of the tool or the id of its server counts. */
  readonly overrides: readonly (CompressionRule & { readonly match: string | null; readonly matchServer: string | null })[];
}
