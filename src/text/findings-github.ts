import type { WorkspaceReport } from '../app/workspace-report.js';
import type { Severity } from '../domain/diagnostic.js';
import { visible } from '../lib/shell-word.js';
import { summaryLine } from './diagnostics/diagnostics-pretty.js';
import { type Finding, type FindingsOptions, findingsOf } from './diagnostics/findings.js';

const COMMANDS: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

/**
 * The escapes of workflow commands: `%` first, or the others would be escaped twice. The log of a
 * step is shown by terminals and by pages that obey them: a name of a file may hold what they obey.
 */
const data = (text: string): string =>
  text
    .replace(/[^\r\n]+/g, visible)
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

function placeProperties({ path, region }: Finding['place']): readonly (readonly [string, string | number])[] {
  if (region === null) return [['file', path]];
  const { startLine, startColumn, endLine, endColumn } = region;
  // Columns hold on one line alone: with two different lines the runner takes them for a mistake.
  const columns =
    startLine === endLine
      ? ([
          ['col', startColumn],
          ['endColumn', endColumn],
        ] as const)
      : [];
  return [['file', path], ['line', startLine], ['endLine', endLine], ...columns];
}

function annotation(finding: Finding): string {
  const properties = [...placeProperties(finding.place), ['title', finding.code] as const];
  const others = finding.related.map(
    ({ path, region, message }) => `${path}${region === null ? '' : `:${region.startLine}`}: ${message}`,
  );
  const help = finding.help === null ? [] : [`help: ${finding.help}`];
  const message = [finding.message, ...others, ...help].join('\n');
  return `::${COMMANDS[finding.severity]} ${properties.map(([name, value]) => `${name}=${property(String(value))}`).join(',')}::${data(message)}`;
}

/**
 * Workflow commands of GitHub Actions, one a line: the runner turns each into an annotation at its
 * place. The last line is for people. GitHub shows the first ten errors and the first ten warnings
 * of a step; the log holds all.
 */
export function validationGithub(report: WorkspaceReport, view: FindingsOptions): string {
  const findings = findingsOf(report, view);
  const demands = view.failures.length;
  const problems =
    findings.length > demands
      ? [
          summaryLine(
            view.quiet ? report.diagnostics.filter(({ severity }) => severity === 'error') : report.diagnostics,
          ),
        ]
      : [];
  const unmet = demands === 0 ? [] : [`${demands} ${demands === 1 ? 'demand' : 'demands'} not met`];
  // The id alone: a name is free text, and the runner reads commands from text.
  const summary = [...problems, ...unmet].join('; ') || `ok ${report.workspace?.id ?? ''}`;
  return [...findings.map(annotation), summary].join('\n');
}
