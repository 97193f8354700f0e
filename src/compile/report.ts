import type { Diagnostic, Severity } from '../domain/diagnostic.js';
import type { Artifact } from '../domain/workspace.js';
import { nearest } from '../lib/nearest.js';

/** A place in an artifact: the value at a pointer, or its key. */
export interface Place {
  readonly artifact: Artifact<unknown>;
  readonly pointer: string;
  readonly onKey?: boolean;
}

export interface Finding {
  readonly code: string;
  /** Lower case, without a full stop, stands alone. */
  readonly message: string;
  readonly severity?: Severity;
  readonly label?: string;
  readonly help?: string | undefined;
  /** Other places, each with what it is ("first defined here"). */
  readonly related?: readonly (Place & { readonly message: string })[];
}

/** Collects the findings of one compilation. */
export interface Report {
  add(place: Place, finding: Finding): void;
  readonly diagnostics: readonly Diagnostic[];
}

const spanOf = (place: Place) => (place.onKey === true ? place.artifact.keySpanOf(place.pointer) : place.artifact.spanOf(place.pointer));

export function makeReport(): Report {
  const diagnostics: Diagnostic[] = [];
  return {
    diagnostics,
    add(place, finding) {
      diagnostics.push({
        code: finding.code,
        severity: finding.severity ?? 'error',
        message: finding.message,
        path: place.artifact.path,
        pointer: place.pointer,
        span: spanOf(place),
        ...(finding.label === undefined ? {} : { label: finding.label }),
        ...(finding.help === undefined ? {} : { help: finding.help }),
        ...(finding.related === undefined
          ? {}
          : { related: finding.related.map((related) => ({ span: spanOf(related), message: related.message })) }),
      });
    },
  };
}

/** Help for a reference to nothing: the likely word, else what there is. */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const all = [...known].toSorted();
  const close = nearest(word, all);
  if (close !== null) return `did you mean \`${close}\`?`;
  if (all.length === 0) return undefined;
  return `known: ${all.slice(0, 8).join(', ')}${all.length > 8 ? `, and ${all.length - 8} more` : ''}`;
}
