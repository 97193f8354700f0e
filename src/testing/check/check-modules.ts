import { pathToFileURL } from 'node:url';
import type { PointId } from '../../domain/extension-points.js';
import type { PluginCheckLine } from '../../domain/ports/plugin-authoring.js';
import { ACTIVATION_TIMEOUT_MS } from '../../host/activation.js';
import { failed, passed } from '../../host/check/lines.js';
import { fileInside } from '../../host/package-files.js';
import { type ChildEnd, type ChildParts, runChild } from './child.js';
import { isProbeReport, type ProbeReport } from './probe-report.js';

/** A module of the plugin, and what it has to export. */
export interface ModuleToCheck {
  /** Relative to the package. */
  readonly file: string;
  readonly exports: { readonly kind: 'contribution'; readonly point: PointId } | { readonly kind: 'command' };
}

/**
 * Nothing is written and no process started while a module is loaded: Node's permission model sees
 * to it.
 */
const NODE_ARGS = ['--permission', '--allow-fs-read=*', '--allow-addons', '--allow-wasi'];
/** Loading may take the host's own limit; starting Node comes on top. */
const SILENT_MS = ACTIVATION_TIMEOUT_MS + 25_000;
/** A module that leaves nothing open lets its process end at once. */
const LINGER_MS = 4_000;
const SHOWN_CHARS = 120;

const AT_IMPORT = 'Do nothing while the module is loaded: move it into `create`, or into the first call.';

const shown = (text: string): string => JSON.stringify(text.trim().slice(0, SHOWN_CHARS));

function whyNotLoaded({ message, code }: NonNullable<ProbeReport['error']>): {
  readonly message: string;
  readonly hint: string;
} {
  if (code === 'ERR_ACCESS_DENIED')
    return { message: `while it is loaded it writes a file or starts a process: ${message}`, hint: AT_IMPORT };
  return {
    message: `it cannot be loaded: ${message}`,
    hint: 'Build the plugin and install its dependencies; then load the file with Node yourself.',
  };
}

/** What a module does that only a started contribution may do; [] = nothing was seen. */
function sideEffects(report: ProbeReport, end: ChildEnd): readonly string[] {
  return [
    ...(end.stdout.trim() === '' ? [] : [`it prints ${shown(end.stdout)} on stdout, which belongs to results`]),
    ...(end.stderr.trim() === '' ? [] : [`it prints ${shown(end.stderr)} on stderr`]),
    ...report.changes.map((what) => `it changes ${what}`),
    ...report.started.map((what) => `it starts ${what}`),
    ...(end.isKilled
      ? [`it keeps the process alive${report.open.length === 0 ? '' : ` (${report.open.join(', ')})`}`]
      : []),
  ];
}

function exportProblem(
  { exports }: ModuleToCheck,
  report: ProbeReport,
): { readonly message: string; readonly hint: string } | null {
  if (exports.kind === 'command') {
    if (report.commands.length > 0) return null;
    return {
      message: 'it exports no command',
      hint: 'Export a class that extends KitCommand of @kit-run/kit/command.',
    };
  }
  if (report.tag === `kit.${exports.point}`) return null;
  const seen =
    report.tag === null
      ? 'it exports no `contribution` with a tag'
      : `its \`contribution\` is tagged ${report.tag}, not kit.${exports.point}`;
  return {
    message: seen,
    hint: `Export const contribution, made by the define function for ${exports.point} of @kit-run/kit/plugin.`,
  };
}

function linesOf(module: ModuleToCheck, report: ProbeReport, end: ChildEnd): readonly PluginCheckLine[] {
  const { file } = module;
  if (report.error !== null) return [failed('module', file, whyNotLoaded(report.error))];
  const ms = Math.round(report.importMs);
  const effects = sideEffects(report, end).map((message) => failed('module', file, { message, hint: AT_IMPORT }));
  const wrong = exportProblem(module, report);
  const slow =
    report.importMs <= ACTIVATION_TIMEOUT_MS
      ? []
      : [
          failed('module', file, {
            message: `loading took ${ms} ms; kit gives up after ${ACTIVATION_TIMEOUT_MS}`,
            hint: 'Import what is heavy inside `create`.',
          }),
        ];
  const problems = [...slow, ...effects, ...(wrong === null ? [] : [failed('module', file, wrong)])];
  return problems.length > 0 ? problems : [passed('module', file, { ms })];
}

/** Loads one module in a process of its own and says what that did. */
export async function checkModule(
  root: string,
  module: ModuleToCheck,
  parts: ChildParts & { readonly probe: string },
): Promise<readonly PluginCheckLine[]> {
  const url = pathToFileURL(await fileInside(root, module.file)).href;
  let report: ProbeReport | undefined;
  const request = { file: parts.probe, args: [url], nodeArgs: NODE_ARGS, silentMs: SILENT_MS, lingerMs: LINGER_MS };
  const end = await runChild(parts, request, (message) => {
    if (isProbeReport(message)) report = message; // ours is the last
  });
  if (report !== undefined) return linesOf(module, report, end);
  const why = end.isKilled
    ? `it had not loaded after ${SILENT_MS} ms`
    : `its process ended (${end.signal ?? end.exitCode}) while it was loaded`;
  return [
    failed('module', module.file, {
      message: end.stderr.trim() === '' ? why : `${why}: ${shown(end.stderr)}`,
      hint: AT_IMPORT,
    }),
  ];
}
