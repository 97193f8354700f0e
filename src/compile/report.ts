import type { Artifact } from '../domain/artifact.js';
import type { Diagnostic, Severity } from '../domain/diagnostic.js';
import { HOW_TO_INSTALL, type WantedContribution } from '../domain/missing-contribution.js';
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
  /** Set by `missing`. */
  readonly wants?: WantedContribution;
  /** Other places, each with what it is ("first defined here"). */
  readonly related?: readonly (Place & { readonly message: string })[];
}

/** Collects the findings of one compilation. */
export interface Report {
  add(place: Place, finding: Finding): void;
  readonly diagnostics: readonly Diagnostic[];
}

const spanOf = (place: Place) =>
  place.onKey === true ? place.artifact.keySpanOf(place.pointer) : place.artifact.spanOf(place.pointer);

export function makeReport(): Report {
  const diagnostics: Diagnostic[] = [];
  const reported = new Set<string>();
  return {
    diagnostics,
    add(place, finding) {
      // What many agents take from one archetype is one mistake.
      const same = JSON.stringify([place.artifact.path, place.pointer, finding.code, finding.message]);
      if (reported.has(same)) return;
      reported.add(same);
      diagnostics.push({
        code: finding.code,
        severity: finding.severity ?? 'error',
        message: finding.message,
        path: place.artifact.path,
        pointer: place.pointer,
        span: spanOf(place),
        ...(finding.label === undefined ? {} : { label: finding.label }),
        ...(finding.help === undefined ? {} : { help: finding.help }),
        ...(finding.wants === undefined ? {} : { wants: finding.wants }),
        ...(finding.related === undefined
          ? {}
          : { related: finding.related.map((related) => ({ span: spanOf(related), message: related.message })) }),
      });
    },
  };
}

const SHOWN = 8;

/**
 * The first words in order, without sorting all of them: a workspace may hold thousands, and as
 * many mistakes.
 */
function firstOf(words: readonly string[]): readonly string[] {
  const first: string[] = [];
  for (const word of words) {
    if (first.length === SHOWN && word >= (first[SHOWN - 1] ?? '')) continue;
    const at = first.findIndex((other) => word < other);
    first.splice(at === -1 ? first.length : at, 0, word);
    if (first.length > SHOWN) first.pop();
  }
  return first;
}

/**
 * Help for a reference to nothing: the likely word, else what there is. The order of `known` does
 * not matter.
 */
export function didYouMean(word: string, known: Iterable<string>): string | undefined {
  const all = [...known];
  const close = nearest(word, all, { isOrdered: false });
  if (close !== null) return `did you mean \`${close}\`?`;
  if (all.length === 0) return undefined;
  // Of dotted words the first part was written.
  const below = firstOf(all.filter((name) => name.startsWith(`${word}.`)));
  if (below.length > 0) return `did you mean ${below.map((name) => `\`${name}\``).join(' or ')}?`;
  return `known: ${firstOf(all).join(', ')}${all.length > SHOWN ? `, and ${all.length - SHOWN} more` : ''}`;
}

/**
 * What a finding says beside its sentence about a contribution that no installed plugin brings: the
 * likely word, else what there is and how the plugin is installed.
 */
export function missing(
  point: WantedContribution['point'],
  name: string,
  known: Iterable<string>,
): Pick<Finding, 'help' | 'wants'> {
  const help = didYouMean(name, known);
  const wants = { point, name };
  if (help?.startsWith('did you mean') === true) return { help, wants };
  return { help: help === undefined ? HOW_TO_INSTALL : `${help}; ${HOW_TO_INSTALL}`, wants };
}

/** Names that can stand in a command as they are. */
const PLAIN_ID = /^[a-z][a-z0-9-]{0,62}$/;

/**
 * A help that knows no near word, with the command that makes what is named: `help` is what
 * `didYouMean` said.
 */
export function orMake(help: string | undefined, what: string, word: string, rest = ''): string | undefined {
  if (help?.startsWith('did you mean') === true || !PLAIN_ID.test(word)) return help;
  const make = `\`kit new ${what} ${word}${rest}\` makes it`;
  return help === undefined ? make : `${help}; ${make}`;
}
