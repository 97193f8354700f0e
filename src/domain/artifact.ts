import type { SourceFile, Span } from './diagnostic.js';

/** Kind names as they stand in `kind:`. */
export type Kind =
  | 'Workspace'
  | 'Topology'
  | 'Archetype'
  | 'Skill'
  | 'Funnel'
  | 'Contract'
  | 'RoleRegistry'
  | 'Trigger'
  | 'ExecutorAdapter'
  | 'ModelProvider'
  | 'EvalSet';

/**
 * One parsed and schema-checked document with its source. `value` is interpolated, except where
 * text reaches a URL, a header, an environment or a credential: there `${VAR}` stays a reference,
 * resolved at the point of use (docs/design/journal.md#references).
 */
export interface Artifact<T> {
  readonly kind: Kind;
  readonly path: string;
  readonly value: T;
  /** The same tree as its author wrote it: nothing is interpolated. */
  readonly raw: T;
  readonly source: SourceFile;
  /** Span of the value at an RFC 6901 pointer, or of the nearest ancestor that exists. */
  spanOf(pointer: string): Span;
  /** Span of the key at a pointer. */
  keySpanOf(pointer: string): Span;
}
