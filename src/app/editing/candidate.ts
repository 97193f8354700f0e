import { editDocument, newDocument } from '../../compile/edit/edit-document.js';
import { parseSource } from '../../compile/parse/parse-source.js';
import type { Diagnostic } from '../../domain/diagnostic.js';
import type { JsonObject } from '../../domain/json.js';
import { MAX_DEPTH } from '../../lib/is-deeper.js';
import type { CurrentFile } from './current-file.js';
import type { Change, EditProblem } from './editing-app.js';
import { problemOf } from './judge.js';
import { refusedEdit } from './refusals.js';

/**
 * What keeps content from being written, level by level: a body of brackets alone must not end the
 * process.
 */
function flawOf(content: JsonObject): readonly [code: string, message: string] | null {
  let level: readonly unknown[] = [content];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return ['edit.too-deep', `the content is nested deeper than ${MAX_DEPTH} levels`];
    if (level.some((value) => typeof value === 'string' && !value.isWellFormed())) return NOT_UNICODE;
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null
        ? [...(Array.isArray(value) ? [] : Object.keys(value)), ...Object.values(value)]
        : [],
    );
  }
  return null;
}

const NOT_UNICODE = ['edit.not-unicode', 'the text holds half of a surrogate pair, which has no UTF-8 form'] as const;

const misfit = (path: string, code: string, message: string): EditProblem => ({
  code,
  message,
  path,
  pointer: '',
  line: null,
});

const BY_TEXT = 'Send the whole file as `yaml`.';

/**
 * The text that a file would have. Throws KIT_EDIT_INVALID for a change that cannot be laid into
 * what is there.
 */
export function candidateText(change: Change, path: string, current: CurrentFile | null): string {
  const flaw = change.kind === 'content' ? flawOf(change.content) : change.text.isWellFormed() ? null : NOT_UNICODE;
  if (flaw !== null) throw refusedEdit(misfit(path, ...flaw));
  if (change.kind === 'text') return change.text;
  if (current === null) return newDocument(path, change.content);
  if (!current.isText)
    throw refusedEdit(
      misfit(path, 'edit.not-utf8', `${path} is not UTF-8, so content cannot be laid into it`),
      BY_TEXT,
    );
  const text = editDocument({ path, text: current.text }, change.content);
  if (text !== null) return text;
  throw refusedEdit(
    misfit(
      path,
      'edit.not-mergeable',
      `content cannot be laid into ${path}: it is not a mapping, or an anchor stands where it changes`,
    ),
    BY_TEXT,
  );
}

/** A candidate read as YAML. Its own mistakes are told without those of the workspace around it. */
export function readCandidate(
  path: string,
  text: string,
): { readonly value: JsonObject | null; readonly errors: readonly EditProblem[] } {
  const { parsed, diagnostics } = parseSource({ path, text });
  const sources = new Map([[path, text]]);
  return {
    value: parsed?.value ?? null,
    errors: diagnostics.map((diagnostic: Diagnostic) => problemOf(diagnostic, sources)),
  };
}
