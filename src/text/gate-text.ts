import type { AskedGate } from '../app/review/review-app.js';
import type { GateStatus } from '../domain/gates.js';
import type { Json } from '../domain/json.js';
import { isObject } from '../lib/json.js';
import { shellWord } from '../lib/shell-word.js';
import type { GateDetails, GateResolution } from '../view/gate-details.js';
import type { Tone } from '../view/lines/tone.js';
import { countText, manyLines, oneLine, timeText } from '../view/lines/words.js';
import { artifactCommand, gateActions, type PasteOptions, workspaceWord } from './lines/gate-actions.js';
import { createPaint, type Paint } from './lines/paint.js';

import { askedLines } from './review/asked-lines.js';
import { earlierText } from './review/earlier-text.js';

/** How reviews are shown as text. */
export interface ReviewTextOptions extends PasteOptions {
  readonly color: boolean;
  /** Columns of the terminal; null = no terminal, and nothing is ever cut. */
  readonly width: number | null;
}

export const gateTone = (status: GateStatus): Tone =>
  status === 'approved' ? 'good' : status === 'rejected' ? 'bad' : 'warn';

/** `, round 1`: the first round is 0 and goes without saying. */
export const roundText = (round: number): string => (round === 0 ? '' : `, round ${round}`);

/** One gate as whoever looks at it alone sees it: what is asked comes first. */
export function askedGateText(gate: AskedGate, options: ReviewTextOptions): string {
  if (gate.asked === null) return gateText(gate, options);
  const more = `kit review gate ${shellWord(oneLine(gate.gateId, 200))}${workspaceWord(options)} --full`;
  const lines = askedLines(gate.asked, { more, hasGate: true }, createPaint(options.color));
  return `${lines.join('\n')}\n\n${gateText(gate, options)}`;
}

/** One gate in full: what is decided about, who decided, who can act, and what to paste. */
export function gateText(gate: GateDetails, options: ReviewTextOptions): string {
  const paint = createPaint(options.color);
  const open = gate.actors.length > 0 || gate.stuck.length > 0;
  const blocks = [
    headLines(gate, options, paint),
    evidenceLines(gate, paint),
    titled(
      'decisions',
      gate.resolutions.map((resolution) => resolutionLine(resolution, paint)),
      paint,
    ),
    open ? titled('still needed', gateActions(gate, options, paint), paint) : [],
  ];
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n');
}

const titled = (title: string, lines: readonly string[], paint: Paint): readonly string[] =>
  lines.length === 0 ? [] : [paint('dim', title), ...lines.map((line) => `  ${line}`)];

function headLines(gate: GateDetails, options: PasteOptions, paint: Paint): readonly string[] {
  const marks = [
    ...(gate.withdrawn ? ['withdrawn'] : []),
    ...(gate.evidence.escalated ? ['escalated: its checks did not pass'] : []),
    ...(gate.escalatedTo.length === 0
      ? []
      : [`not decided in time, it went to ${gate.escalatedTo.map((role) => oneLine(role, 80)).join(', ')}`]),
    ...(gate.expired && gate.status === 'rejected' ? ['nobody decided it in time'] : []),
    ...(gate.quorumEvaluated ? [] : ['its policy could not be located: every task must be approved']),
  ];
  const times = [
    `opened ${timeText(gate.openedAt)}`,
    ...(gate.expiresAt === null || (gate.resolved && !gate.expired)
      ? []
      : [`${gate.expired ? 'expired' : 'expires'} ${timeText(gate.expiresAt)}`]),
    ...(gate.decidedAt === null ? [] : [`decided ${timeText(gate.decidedAt)}`]),
  ];
  const alias = gate.author.person === gate.author.identity ? '' : `, who is ${oneLine(gate.author.person, 80)}`;
  const note = gate.author.note === null ? '' : ` (${oneLine(gate.author.note, 300)})`;
  return [
    `${paint('strong', `gate ${oneLine(gate.gateId, 200)}`)}  ${paint(gateTone(gate.status), gate.status)}${roundText(gate.round)}${marks.map((mark) => `  ${mark}`).join('')}`,
    `  agent ${oneLine(gate.agentId, 80)} of ${oneLine(gate.topologyId, 80)}, funnel ${oneLine(gate.funnelId, 80)}`,
    `  artifact ${oneLine(gate.artifactRef, 300)}`,
    paint('dim', `    ${artifactCommand(gate.artifactRef, options)}`),
    `  author ${oneLine(gate.author.identity, 80)}${alias}${note}${gate.excludeAuthor ? '' : ', who may decide too'}`,
    ...(gate.earlierAuthors.length === 0 ? [] : [`  ${earlierText(gate)}`]),
    paint('dim', `  ${times.join(' · ')}`),
  ];
}

function evidenceLines({ evidence }: GateDetails, paint: Paint): readonly string[] {
  const { judge, critique, findings, retries, failedLayers } = evidence;
  return [
    ...(retries === 0
      ? []
      : [
          `${countText(retries, 'draft')} sent back${failedLayers.length === 0 ? '' : `; failed at the end: ${failedLayers.join(', ')}`}`,
        ]),
    ...(judge === null
      ? []
      : [
          `judge ${oneLine(judge.skill, 80)} says ${oneLine(judge.verdict, 40)} (${judge.confidence.toFixed(2)}): ${oneLine(judge.reasoning, 600)}`,
        ]),
    ...(critique === null
      ? []
      : [
          `critique:`,
          ...manyLines(critique)
            .split('\n')
            .map((line) => `  ${line}`),
        ]),
    ...(findings.length === 0
      ? []
      : [
          `${countText(findings.length, 'finding')} of the reviewer:`,
          ...findings.map((finding) => `  ${findingText(finding)}`),
        ]),
  ].map((line) => paint('plain', line));
}

/** A finding of the reviewer in one line: how grave, what, where, and what to do about it. */
export function findingText(finding: Json): string {
  const of = (key: string): string => {
    const value = isObject(finding) ? finding[key] : null;
    return typeof value === 'string' ? value : '';
  };
  const claim = of('claim');
  if (claim === '') return oneLine(JSON.stringify(finding), 600);
  const where = of('location') === '' ? '' : ` (${of('location')})`;
  const advice = of('recommendation') === '' ? '' : `: ${of('recommendation')}`;
  return oneLine(`${of('severity')} ${claim}${where}${advice}`, 600);
}

function resolutionLine(resolution: GateResolution, paint: Paint): string {
  const comment = resolution.comment === '' ? '' : `: ${oneLine(resolution.comment, 600)}`;
  const round = resolution.stale ? `  ${paint('dim', `stale${roundText(resolution.round)}`)}` : '';
  const carried =
    resolution.carriedFrom === null ? '' : `  ${paint('dim', `kept from round ${resolution.carriedFrom}`)}`;
  return `${oneLine(resolution.role, 80)} (${oneLine(resolution.scope, 80)})  ${paint(gateTone(resolution.status), resolution.status)} by ${oneLine(resolution.resolvedBy, 80)} ${timeText(resolution.at)}${comment}${round}${carried}`;
}
