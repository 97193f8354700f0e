import { shellWord } from '../lib/shell-word.js';
import { oneLine } from '../view/lines/words.js';
import type { SystemReport } from '../view/system-report.js';
import { createPaint, type Paint } from './lines/paint.js';
import { type Column, table } from './lines/table.js';
import type { ObserveOptions } from './status-text.js';
import { storageText } from './storage-text.js';

type Options = ObserveOptions & { readonly all: boolean };

const NAMED: readonly Column[] = [{ title: 'NAME' }, { title: 'VALUE', canShrink: true }];
const PLUGINS: readonly Column[] = [
  { title: 'PLUGIN' },
  { title: 'VERSION' },
  { title: 'STATE' },
  { title: 'WHY', canShrink: true },
];
const LAUNCHES: readonly Column[] = [{ title: 'KIND' }, { title: 'ID' }, { title: 'COMMAND LINE', canShrink: true }];
const MAX_CHARS = 400;

/**
 * The workspace, its storage, its properties, what of the environment counts, the plugins, and what
 * runs can launch.
 */
export function systemText(report: SystemReport, options: Options): string {
  const paint = createPaint(options.color);
  return [
    head(report, paint),
    section('Storage', storageText(report.storage, report.growth, options), paint),
    section('Properties (workspace.env.yaml)', named(report.properties, { paint, options }), paint),
    section(
      options.all ? 'Environment' : 'Environment, as far as it is set',
      environment(report, { paint, options }),
      paint,
    ),
    section('Plugins', plugins(report, { paint, options }), paint),
    section('Command lines that a run can start', launches(report, { paint, options }), paint),
    section('Documents that a run may search', knowledge(report), paint),
  ].join('\n\n');
}

function head({ workspace, root, version, schemaVersion, nodeVersion }: SystemReport, paint: Paint): string {
  const name =
    workspace === null
      ? paint('bad', 'has errors: run `kit validate`')
      : `${oneLine(workspace.name, 120)} (${oneLine(workspace.id, 120)})`;
  return [
    `workspace  ${name}`,
    `directory  ${oneLine(root, MAX_CHARS)}`,
    `kit        ${oneLine(`${version}, interface ${schemaVersion}, Node.js ${nodeVersion}`, MAX_CHARS)}`,
  ].join('\n');
}

const section = (title: string, body: string, paint: Paint): string => `${paint('strong', title)}\n${body}`;

interface Look {
  readonly paint: Paint;
  readonly options: Options;
}

function named(
  rows: readonly { readonly name: string; readonly value: string | null }[],
  { paint, options }: Look,
): string {
  if (rows.length === 0) return 'none';
  const cells = rows.map(({ name, value }) => [
    { text: oneLine(name, MAX_CHARS) },
    { text: value === null ? '-' : oneLine(value, MAX_CHARS) },
  ]);
  return table(NAMED, cells, { paint, width: options.width }).join('\n');
}

const environment = (report: SystemReport, look: Look): string =>
  named(
    report.environment.filter(({ isSet }) => look.options.all || isSet),
    look,
  );

function plugins(report: SystemReport, { paint, options }: Look): string {
  if (report.plugins.length === 0) return 'none';
  const cells = report.plugins.map(({ name, version, state, code, message }) => [
    { text: oneLine(name, 120) },
    { text: oneLine(version, 40) },
    { text: oneLine(state, 40), tone: code === null ? ('plain' as const) : ('bad' as const) },
    { text: code === null ? '' : oneLine(`${code}: ${message ?? ''}`, MAX_CHARS) },
  ]);
  return table(PLUGINS, cells, { paint, width: options.width }).join('\n');
}

function knowledge({ knowledgeBases, workspace }: SystemReport): string {
  if (knowledgeBases.length === 0) return workspace === null ? 'unknown while the workspace has errors' : 'none';
  return knowledgeBases
    .map(({ id, path, include }) => `${oneLine(id, 120)}: ${oneLine([path, ...include].join(' '), MAX_CHARS)}`)
    .join('\n');
}

function launches(report: SystemReport, { paint, options }: Look): string {
  if (report.launches.length === 0)
    return report.workspace === null ? 'unknown while the workspace has errors' : 'none';
  const cells = report.launches.map(({ kind, id, argv }) => [
    { text: oneLine(kind, 40) },
    { text: oneLine(id, 120) },
    { text: oneLine(argv.map(shellWord).join(' '), MAX_CHARS) },
  ]);
  return table(LAUNCHES, cells, { paint, width: options.width }).join('\n');
}
