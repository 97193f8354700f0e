import type { CheckState, PluginCheckLine, PluginCheckReport } from '../domain/ports/plugin-authoring.js';
import { countText, durationText, manyLines, oneLine } from '../view/lines/words.js';
import { createPaint } from './lines/paint.js';

const WORDS: Readonly<Record<CheckState, string>> = { passed: 'ok  ', failed: 'FAIL', warned: 'warn', skipped: 'skip' };

/** Text of a plugin is a stranger's: nothing in it moves the cursor. */
function linesOf(line: PluginCheckLine): readonly string[] {
  const { check, where, state, message, hint, ms } = line;
  const head = `${WORDS[state]} ${check}: ${oneLine(where)}${ms === null ? '' : ` (${durationText(ms)})`}`;
  const isLong = message.includes('\n');
  const said = message === '' || isLong ? '' : `: ${oneLine(message, 400)}`;
  const more = isLong
    ? manyLines(message)
        .split('\n')
        .map((text) => `       ${text}`)
    : [];
  return [`${head}${said}`, ...more, ...(hint === null ? [] : [`       ${oneLine(hint)}`])];
}

/**
 * What a person wants to see: what failed, what was passed over with a reason to know, and how long
 * loading took.
 */
const isShown = ({ state, ms, check }: PluginCheckLine, verbose: boolean): boolean =>
  verbose || state === 'failed' || state === 'warned' || (state === 'skipped' && check !== 'contract') || ms !== null;

const count = (report: PluginCheckReport, state: CheckState): number =>
  report.checks.filter((line) => line.state === state).length;

/** The report of `kit plugins check` for people; contract cases that held are counted. */
export function pluginCheckText(
  report: PluginCheckReport,
  view: { readonly color: boolean; readonly verbose: boolean },
): string {
  const { name, version, checks, ok } = report;
  const shown = checks.filter((line) => isShown(line, view.verbose)).flatMap(linesOf);
  const others = [
    ...(count(report, 'warned') === 0 ? [] : [countText(count(report, 'warned'), 'warning')]),
    ...(count(report, 'skipped') === 0 ? [] : [`${count(report, 'skipped')} with nothing to check`]),
  ];
  const sums = `${count(report, 'passed')} held, ${count(report, 'failed')} failed${others.length === 0 ? '' : `, ${others.join(', ')}`}`;
  const verdict = createPaint(view.color)(ok ? 'good' : 'bad', ok ? 'fine' : 'not fine');
  return [...shown, `${oneLine(name)} ${oneLine(version)}: ${verdict} (${sums})`].join('\n');
}
