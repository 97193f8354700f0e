import type { Diagnostic, Severity, Span } from '../../domain/diagnostic.js';
import { linesIn } from '../../lib/line-index.js';
import { type Excerpt, type ExcerptOptions, excerptOf, wholeLine } from './excerpt.js';

export interface PrettyOptions {
  /** ANSI colours. Without them nothing is lost: words and marks carry the meaning. */
  readonly color: boolean;
  /** Columns of the terminal; long source lines are cut around the place. */
  readonly width: number;
}

type Sources = ReadonlyMap<string, string>;
type Paint = (code: string, text: string) => string;

const COLORS: Readonly<Record<Severity, string>> = { error: '1;31', warning: '1;33', info: '1;36' };
const BLUE = '1;34';
const BOLD = '1';

function frame(
  where: string,
  arrow: string,
  excerpt: Excerpt | null,
  mark: { readonly char: string; readonly color: string; readonly text: string },
  paint: Paint,
): readonly string[] {
  if (excerpt === null) return [`  ${paint(BLUE, arrow)} ${where}`];
  const number = String(excerpt.line);
  const margin = ' '.repeat(number.length);
  const bar = paint(BLUE, '|');
  const underline = mark.char.repeat(excerpt.markWidth);
  return [
    `${margin} ${paint(BLUE, arrow)} ${where}`,
    `${margin} ${bar}`,
    `${paint(BLUE, number)} ${bar} ${excerpt.text}`,
    `${margin} ${bar} ${' '.repeat(excerpt.markStart)}${paint(mark.color, `${underline}${mark.text === '' ? '' : ` ${mark.text}`}`)}`,
  ];
}

function located(
  span: Span | undefined,
  path: string,
  sources: Sources,
  options: ExcerptOptions & { readonly hiddenIn: HiddenParts },
): { readonly where: string; readonly excerpt: Excerpt | null } {
  const lines = span === undefined ? null : linesIn(sources, span.path);
  if (span === undefined || lines === null) return { where: wholeLine(path), excerpt: null };
  const place = lines.placeAt(span.start);
  return {
    where: `${wholeLine(span.path)}:${place.line}:${place.column}`,
    excerpt: excerptOf(lines, span, { ...options, hiddenFrom: options.hiddenIn.get(lineKey(span.path, place.line)) }),
  };
}

/**
 * Where a line begins to hold what may be a secret, by file and line: what one diagnostic hides no
 * other shows.
 */
type HiddenParts = ReadonlyMap<string, number>;

const lineKey = (path: string, line: number): string => `${line} ${path}`;

function hiddenParts(diagnostics: readonly Diagnostic[], sources: Sources): HiddenParts {
  const parts = new Map<string, number>();
  for (const { span, hides } of diagnostics) {
    const lines = span === undefined || hides === undefined ? null : linesIn(sources, span.path);
    if (span === undefined || lines === null) continue;
    const from = hides === 'place' ? span.start : span.end;
    const key = lineKey(span.path, lines.placeAt(span.start).line);
    parts.set(key, Math.min(from, parts.get(key) ?? from));
  }
  return parts;
}

/**
 * One diagnostic as a compiler prints it: code and sentence, place, the line with the place
 * underlined, related places, help.
 */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  sources: Sources,
  options: PrettyOptions,
  hiddenIn: HiddenParts = hiddenParts([diagnostic], sources),
): string {
  const paint: Paint = (code, text) => (options.color ? `\u001b[${code}m${text}\u001b[0m` : text);
  const color = COLORS[diagnostic.severity];
  const head = `${paint(color, `${diagnostic.severity}[${diagnostic.code}]`)}${paint(BOLD, `: ${wholeLine(diagnostic.message)}`)}`;
  const main = located(diagnostic.span, diagnostic.path, sources, {
    width: options.width,
    hides: diagnostic.hides,
    hiddenIn,
  });
  const lines = [
    head,
    ...frame(main.where, '-->', main.excerpt, { char: '^', color, text: wholeLine(diagnostic.label ?? '') }, paint),
  ];
  for (const related of diagnostic.related ?? []) {
    const other = located(related.span, related.span.path, sources, { width: options.width, hiddenIn });
    lines.push(
      ...frame(other.where, ':::', other.excerpt, { char: '-', color: BLUE, text: wholeLine(related.message) }, paint),
    );
  }
  if (diagnostic.help !== undefined)
    lines.push(`  ${paint(BLUE, '=')} ${paint(BOLD, 'help')}: ${wholeLine(diagnostic.help)}`);
  return lines.join('\n');
}

const amount = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** `2 errors and 1 warning in 2 files`. */
export function summaryLine(diagnostics: readonly Diagnostic[]): string {
  const of = (severity: Severity): number =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const files = new Set(diagnostics.map((diagnostic) => diagnostic.path)).size;
  const counts = [amount(of('error'), 'error'), ...(of('warning') > 0 ? [amount(of('warning'), 'warning')] : [])];
  return `${counts.join(' and ')} in ${amount(files, 'file')}`;
}

/**
 * All diagnostics, with an empty line between two, and nothing after the last. '' when there are
 * none.
 */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: Sources,
  options: PrettyOptions,
): string {
  const hiddenIn = hiddenParts(diagnostics, sources);
  return diagnostics.map((diagnostic) => renderDiagnostic(diagnostic, sources, options, hiddenIn)).join('\n\n');
}
