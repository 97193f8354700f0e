/**
 * How a result of a tool is made shorter on its way into a conversation
 * (docs/design/execution.md#compression).
 */
export type CompressionBackend = 'off' | 'columnar' | 'headtail' | 'plugin';

/** What is done with one result. */
export interface CompressionRule {
  readonly backend: CompressionBackend;
  /** Name or id of a contribution to `compressors`, where the backend is `plugin`. */
  readonly backendClass: string | null;
  /** Shorter results are left alone, in characters. */
  readonly minBytes: number;
}

/** A rule of its own for some tools; null = as the policy itself. */
export interface CompressionOverride {
  readonly backend: CompressionBackend | null;
  readonly backendClass: string | null;
  readonly minBytes: number | null;
  /** Pattern for the name of the tool, as the model sees it: `*` and `?`. */
  readonly match: string | null;
  /** Pattern for the id of the server behind the tool; either one that fits is enough. */
  readonly matchServer: string | null;
}

/**
 * `context_compression` as the workspace writes it; KIT_CONTEXT_COMPRESSION and its MIN_BYTES come
 * over it at submit. Plain JSON.
 */
export interface CompressionPolicy extends CompressionRule {
  /** The first that fits counts. */
  readonly overrides: readonly CompressionOverride[];
  /**
   * Contributions among the backend classes that shorten for good, so that `context_retrieve` is
   * offered; set at submit.
   */
  readonly keepOriginal?: readonly string[];
}
