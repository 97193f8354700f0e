import type { Diagnostic, DiagnosticLabel, Span } from '../../domain/diagnostic.js';
import type { JsonObject } from '../../domain/json.js';
import { linesIn } from '../../lib/line-index.js';

type Sources = ReadonlyMap<string, string>;

/** Lines and columns from 1; null without a span or without the file's text. */
function place(span: Span | undefined, sources: Sources): JsonObject | null {
  const lines = span === undefined ? null : linesIn(sources, span.path);
  if (span === undefined || lines === null) return null;
  const start = lines.placeAt(span.start);
  const end = lines.placeAt(span.end);
  return { line: start.line, column: start.column, end_line: end.line, end_column: end.column };
}

const relatedJson = (related: DiagnosticLabel, sources: Sources): JsonObject => ({
  message: related.message,
  artifact_path: related.span.path,
  place: place(related.span, sources),
});

/**
 * One line of the JSON Lines output: `validate.error` or `validate.warning` (infos count as
 * warnings).
 */
export function diagnosticJson(diagnostic: Diagnostic, sources: Sources): JsonObject {
  return {
    type: diagnostic.severity === 'error' ? 'validate.error' : 'validate.warning',
    severity: diagnostic.severity,
    code: diagnostic.code,
    message: diagnostic.message,
    artifact_path: diagnostic.path,
    yaml_pointer: diagnostic.pointer,
    place: place(diagnostic.span, sources),
    rule: diagnostic.rule ?? null,
    suggestion: diagnostic.help ?? null,
    related: (diagnostic.related ?? []).map((related) => relatedJson(related, sources)),
  };
}

/** Every diagnostic as a line, in order. */
export const diagnosticsJson = (diagnostics: readonly Diagnostic[], sources: Sources): readonly JsonObject[] =>
  diagnostics.map((diagnostic) => diagnosticJson(diagnostic, sources));
