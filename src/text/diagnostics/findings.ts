import { isAbsolute, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { UnmetDemand, WorkspaceReport } from '../../app/workspace-report.js';
import type { Diagnostic, DiagnosticLabel, Severity, Span } from '../../domain/diagnostic.js';
import { isInside } from '../../lib/is-inside.js';
import { linesIn } from '../../lib/line-index.js';
import { wholeLine } from './excerpt.js';

export interface FindingsOptions {
  /** Errors alone. */
  readonly quiet: boolean;
  /** Why a check that was asked for failed; [] = none did. */
  readonly failures: readonly UnmetDemand[];
  /** Absolute directory that was validated. */
  readonly workspaceDir: string;
  /** Absolute directory that paths are relative to. */
  readonly repositoryDir: string;
  /** Version of kit. */
  readonly version: string;
  /** Page (Markdown) of each diagnostic code that has one. */
  readonly pages: ReadonlyMap<string, string>;
}

/**
 * A place as CI services name it: lines and columns from 1, columns in UTF-16 units, the end behind
 * the last character.
 */
export interface FindingRegion {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A file of the repository, and the place in it; no region = the file as a whole. */
export interface FindingPlace {
  /**
   * Relative to the root of the repository, with forward slashes; absolute for a workspace outside
   * it.
   */
  readonly path: string;
  readonly region: FindingRegion | null;
}

/** What a format for CI shows: a diagnostic, or a demand that was not met. */
export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  /** One line, safe for a terminal. */
  readonly message: string;
  readonly help: string | null;
  readonly place: FindingPlace;
  /** RFC 6901 pointer into the document; null = none that outlives an edit. */
  readonly pointer: string | null;
  readonly related: readonly (FindingPlace & { readonly message: string })[];
}

const text = (words: string): string => wholeLine(words).toWellFormed();

/**
 * Where the repository is not above the workspace there is no relative path to tell: the absolute
 * one is.
 */
export function pathInRepository(view: Pick<FindingsOptions, 'repositoryDir' | 'workspaceDir'>, path: string): string {
  const full = join(view.workspaceDir, path);
  const shown = isInside(view.repositoryDir, full) ? relative(view.repositoryDir, full) : full;
  return shown.split(sep).join('/');
}

/** A path of `pathInRepository` as a URI reference. */
export const uriOf = (path: string): string =>
  isAbsolute(path)
    ? pathToFileURL(path).href
    : path
        .split('/')
        .map((part) => encodeURIComponent(part.toWellFormed()))
        .join('/');

const WORKSPACE_FILE = /^workspace\.(ya?ml|json)$/;

/**
 * Everything that CI shall show of a report, in order: diagnostics (with `quiet` errors alone),
 * then unmet demands.
 */
export function findingsOf(report: WorkspaceReport, view: FindingsOptions): readonly Finding[] {
  const { sources } = report;
  const workspaceFile = [...sources.keys()].find((path) => WORKSPACE_FILE.test(path)) ?? 'workspace.yaml';
  const placeOf = (path: string, span: Span | undefined): FindingPlace => {
    const file = pathInRepository(view, path === '.' ? workspaceFile : path);
    const index = span === undefined ? null : linesIn(sources, span.path);
    if (span === undefined || index === null) return { path: file, region: null };
    const [start, end] = [index.placeAt(span.start), index.placeAt(span.end)];
    return {
      path: file,
      region: { startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column },
    };
  };
  const relatedOf = ({ span, message }: DiagnosticLabel) => ({ ...placeOf(span.path, span), message: text(message) });
  const findingOf = (diagnostic: Diagnostic): Finding => ({
    code: diagnostic.code,
    severity: diagnostic.severity,
    message: text(diagnostic.message),
    help: diagnostic.help === undefined ? null : text(diagnostic.help),
    place: placeOf(diagnostic.span?.path ?? diagnostic.path, diagnostic.span),
    // `/<line 7>` of a syntax error moves with its line.
    pointer: diagnostic.pointer.startsWith('/<') ? null : diagnostic.pointer,
    related: (diagnostic.related ?? []).map(relatedOf),
  });
  const shown = view.quiet ? report.diagnostics.filter(({ severity }) => severity === 'error') : report.diagnostics;
  const demands = view.failures.map(
    ({ flag, message, subjects }): Finding => ({
      code: `validate.${flag}`,
      severity: 'error',
      message: text(message),
      help: text(subjects.join(', ')),
      place: placeOf(workspaceFile, undefined),
      pointer: '',
      related: [],
    }),
  );
  return [...shown.map(findingOf), ...demands];
}
