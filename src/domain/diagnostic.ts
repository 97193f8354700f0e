import type { Json } from './json.js';
import type { WantedContribution } from './missing-contribution.js';

/** One file as it was read. Offsets in spans are UTF-16 offsets into `text`. */
export interface SourceFile {
  /** Workspace-relative path with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Half-open range of UTF-16 offsets in one source file. */
export interface Span {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/**
 * How bad a problem is: only an `error` makes a workspace invalid by itself; an entry point may
 * demand more.
 */
export type Severity = 'error' | 'warning' | 'info';

/** A place related to a diagnostic ("first defined here"). */
export interface DiagnosticLabel {
  readonly span: Span;
  readonly message: string;
}

/**
 * The one change of the document that fixes a problem, where nothing else can be meant: `set` the
 * value at the pointer (RFC 6901; a member that is missing is added), or `rename` the key there.
 */
export type Fix =
  | { readonly do: 'set'; readonly pointer: string; readonly value: Json }
  | { readonly do: 'rename'; readonly pointer: string; readonly to: string };

/**
 * One problem in the user's YAML, as a good compiler reports it: code, one sentence, place, help.
 * `message` is lower case, without a full stop, and stands alone; only `help` suggests a fix.
 */
export interface Diagnostic {
  /**
   * `group.name`, stable (docs/design/workspace.md#diagnostics). Documented in
   * docs/diagnostics/<code>.md.
   */
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** Where; absent only when there is no file to point into. */
  readonly span?: Span;
  /** Short and spatial: what the underlined place is ("unknown field"). */
  readonly label?: string;
  /** Workspace-relative file, or `.` for the directory itself. */
  readonly path: string;
  /** RFC 6901 pointer into the document; '' = whole document. */
  readonly pointer: string;
  /** JSON Schema keyword that failed, for schema diagnostics. */
  readonly rule?: string;
  readonly help?: string;
  /** The contribution that no plugin of this process brings; it may be installed meanwhile. */
  readonly wants?: WantedContribution;
  /** What `kit validate --fix` writes; absent where more than one answer is possible. */
  readonly fix?: Fix;
  readonly related?: readonly DiagnosticLabel[];
  /**
   * The line may hold a literal secret: renderers hide the underlined text (`place`), or what
   * follows it on the line (`rest`).
   */
  readonly hides?: 'place' | 'rest';
}
