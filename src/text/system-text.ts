import { shellWord, visible } from '../lib/shell-word.js';
import { oneLine } from '../view/lines/words.js';
import type { SystemReport } from '../view/system-report.js';
import { createPaint, type Paint } from './lines/paint.js';
import { type Column, type TableOptions, table } from './lines/table.js';
import { storageText } from './storage-text.js';

type Options = TableOptions & { readonly all: boolean };

const MAX_CHARS = 400;

const NAMED: readonly Column<{ readonly name: string; readonly value: string | null }>[] = [
  { title: 'NAME', of: ({ name }) => oneLine(name, MAX_CHARS) },
  { title: 'VALUE', canShrink: true, of: ({ value }) => (value === null ? '-' : oneLine(value, MAX_CHARS)) },
];
const PLUGINS: readonly Column<SystemReport['plugins'][number]>[] = [
  { title: 'PLUGIN', of: ({ name }) => oneLine(name, 120) },
  { title: 'VERSION', of: ({ version }) => oneLine(version, 40) },
  { title: 'STATE', of: ({ state }) => oneLine(state, 40), tone: ({ code }) => (code === null ? 'plain' : 'bad') },
  {
    title: 'WHY',
    canShrink: true,
    of: ({ code, message }) => (code === null ? '' : oneLine(`${code}: ${message ?? ''}`, MAX_CHARS)),
  },
];
const LAUNCHES: readonly Column<SystemReport['launches'][number]>[] = [
  { title: 'KIND', of: ({ kind }) => oneLine(kind, 40) },
  { title: 'ID', of: ({ id }) => oneLine(id, 120) },
  {
    title: 'COMMAND LINE',
    canShrink: true,
    of: ({ argv }) => oneLine(visible(argv.map(shellWord).join(' ')), MAX_CHARS),
  },
];

const rowsText = <T>(
  columns: readonly Column<T>[],
  rows: readonly T[],
  options: Options & { readonly none?: string },
): string => (rows.length === 0 ? (options.none ?? 'none') : table(columns, rows, options).join('\n'));

/**
 * The workspace, its storage, its properties, what of the environment counts, the plugins, and what
 * runs can launch.
 */
export function systemText(report: SystemReport, options: Options): string {
  const paint = createPaint(options.color);
  const none = report.workspace === null ? 'unknown while the workspace has errors' : 'none';
  const variables = report.environment.filter(({ isSet }) => options.all || isSet);
  return [
    head(report, paint),
    section('Storage', storageText(report.storage, report.growth, options), paint),
    section('Properties (workspace.env.yaml)', rowsText(NAMED, report.properties, options), paint),
    section(
      options.all ? 'Environment' : 'Environment, as far as it is set',
      rowsText(NAMED, variables, options),
      paint,
    ),
    section('Plugins', rowsText(PLUGINS, report.plugins, options), paint),
    section('Command lines that a run can start', rowsText(LAUNCHES, report.launches, { ...options, none }), paint),
    section('Documents that a run may search', knowledge(report, none), paint),
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

function knowledge({ knowledgeBases }: SystemReport, none: string): string {
  if (knowledgeBases.length === 0) return none;
  return knowledgeBases
    .map(({ id, path, include }) => `${oneLine(id, 120)}: ${oneLine([path, ...include].join(' '), MAX_CHARS)}`)
    .join('\n');
}
