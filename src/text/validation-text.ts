import type { AgentSummary, ArtifactIds, LaunchEntry, UnmetDemand, WorkspaceReport } from '../app/workspace-report.js';
import { type PrettyOptions, renderDiagnostics, summaryLine } from './diagnostics/diagnostics-pretty.js';
import { wholeLine } from './diagnostics/excerpt.js';
import { createPaint, type Paint } from './lines/paint.js';

export interface ValidationTextOptions extends PrettyOptions {
  /** Agents of every topology, and the command lines that a run can start. */
  readonly tree: boolean;
  /** Errors alone. */
  readonly quiet: boolean;
  /** Why a check that was asked for failed; [] = none did. */
  readonly failures: readonly UnmetDemand[];
}

const MAX_NAMES = 8;

function namesLine(label: string, names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  const more = names.length > MAX_NAMES ? `, and ${names.length - MAX_NAMES} more` : '';
  return `  ${label.padEnd(11)} ${String(names.length).padStart(3)}${names.length === 0 ? '' : `  ${wholeLine(shown)}${more}`}`;
}

const idLines = (ids: ArtifactIds): readonly string[] => [
  namesLine('topologies', ids.topologies),
  namesLine('skills', ids.skills),
  namesLine('archetypes', ids.archetypes),
  namesLine('triggers', ids.triggers),
];

function agentLines(agent: AgentSummary, lead: string, below: string): readonly string[] {
  const facts = [
    agent.role,
    ...(agent.archetype === null ? [] : [`archetype ${agent.archetype}`]),
    agent.executor === 'model' ? `model ${agent.model ?? 'not set'}` : agent.executor,
    ...(agent.skills.length === 0 ? [] : [`skills ${agent.skills.join(', ')}`]),
    ...(agent.baseScope.length === 0 ? [] : [`scopes ${agent.baseScope.join(', ')}`]),
  ];
  const children = agent.children.flatMap((child, index) => {
    const isLast = index === agent.children.length - 1;
    return agentLines(child, `${below}${isLast ? '`- ' : '|- '}`, `${below}${isLast ? '   ' : '|  '}`);
  });
  return [`${lead}${agent.id} (${wholeLine(facts.join('; '))})`, ...children];
}

const launchLine = ({ kind, id, argv }: LaunchEntry): string =>
  `  ${kind.replace('_', ' ')} ${id}: ${wholeLine(argv.map((part) => JSON.stringify(part)).join(' '))}`;

function treeLines(report: WorkspaceReport): readonly string[] {
  const trees = report.tree.flatMap(({ id, description, root }) => [
    '',
    description === null ? id : `${id}  ${wholeLine(description)}`,
    ...agentLines(root, '  ', '  '),
  ]);
  if (report.launches.length === 0) return trees;
  return [...trees, '', 'command lines that a run can start', ...report.launches.map(launchLine)];
}

function reachabilityLines({ reachability }: WorkspaceReport, paint: Paint): readonly string[] {
  const all = [
    ...reachability.reachable.map((entry) => ({ entry, state: paint('good', 'wired    ') })),
    ...reachability.unreachable.map((entry) => ({ entry, state: paint('warn', 'not wired') })),
    ...reachability.orphans.map((entry) => ({ entry, state: paint('warn', 'unused   ') })),
  ];
  if (all.length === 0) return [];
  const lines = all.map(
    ({ entry, state }) => `  ${state} ${entry.kind} ${wholeLine(entry.key)}${entry.required ? ' (REQUIRED)' : ''}`,
  );
  return ['', 'reachability (wired: runs ask it; unused: nothing names it)', ...lines];
}

/** Nothing of a workspace that checks nothing anywhere: that is how each one begins. */
function verificationLines({ verification }: WorkspaceReport, paint: Paint): readonly string[] {
  const roots = verification.filter((entry) => entry.isRoot);
  if (!verification.some(({ declared }) => declared.length > 0)) return [];
  const lines = roots.map(({ topology, agent, verified, layers }) =>
    verified
      ? `  ${paint('good', 'checked  ')} ${topology} ${agent}: ${layers.join(', ')}`
      : `  ${paint('dim', 'unchecked')} ${topology} ${agent}: nothing checks its output`,
  );
  return ['', 'verification (checked: something looks at the output of the entry agent)', ...lines];
}

/**
 * What `kit validate` shows to people. ASCII without colour; every word that is coloured says the
 * same without it.
 */
export function validationText(report: WorkspaceReport, options: ValidationTextOptions): string {
  const { quiet, tree, failures } = options;
  const paint = createPaint(options.color);
  const shown = quiet ? report.diagnostics.filter((diagnostic) => diagnostic.severity === 'error') : report.diagnostics;
  const problems =
    shown.length === 0 ? [] : [renderDiagnostics(shown, report.sources, options), '', summaryLine(shown)];
  const isRunnable = report.diagnostics.every(({ severity }) => severity !== 'error');
  const failed = failures.map(({ message }) => `${paint('bad', 'failed')}: ${message}`);
  if (quiet || report.workspace === null) return [...problems, ...failed].join('\n');
  const { id, name, description } = report.workspace;
  const about = description === null ? '' : `: ${wholeLine(description)}`;
  const sections = [
    `${isRunnable ? paint('good', 'ok') : paint('bad', 'cannot run')} ${paint('strong', id)} (${wholeLine(name)})${about}`,
    ...idLines(report.ids),
    ...(tree ? treeLines(report) : []),
    ...reachabilityLines(report, paint),
    ...verificationLines(report, paint),
  ];
  return [
    ...problems,
    ...(problems.length === 0 ? [] : ['']),
    ...sections,
    ...(failed.length === 0 ? [] : ['', ...failed]),
  ].join('\n');
}
