import type { Diagnostic, SourceFile, Span } from '../../domain/diagnostic.js';
import type { JsonObject } from '../../domain/json.js';

/** One file as a mapping, with its places. `value` is as written, before interpolation. */
export interface ParsedSource {
  readonly source: SourceFile;
  readonly value: JsonObject;
  /** Span of the value at an RFC 6901 pointer, or of the nearest ancestor that exists. */
  spanOf(pointer: string): Span;
  /**
   * Span of the key at a pointer; of the value where there is no key (an item of a list, the whole
   * document).
   */
  keySpanOf(pointer: string): Span;
}

/** `parsed` is null as soon as there is an error: no later phase judges half a document. */
export interface ParseResult {
  readonly parsed: ParsedSource | null;
  readonly diagnostics: readonly Diagnostic[];
}
