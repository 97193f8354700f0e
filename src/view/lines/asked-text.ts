import type { ReviewRequest } from '../asked.js';
import type { LedStep } from '../led-here.js';
import type { Tone } from './tone.js';
import { ageText, costText, countText, durationText, oneLine, tokensText } from './words.js';

/** One fact of what is asked: its name, and its words, which may be lines of foreign text. */
export interface AskedFact {
  readonly name: string;
  readonly text: string;
  readonly tone: Tone;
}

const ASSURED: Readonly<Record<ReviewRequest['submittedBy']['assurance'], string>> = {
  authenticated: 'proved by a credential',
  asserted: 'only said, proved by nobody',
  anonymous: 'nobody said who',
  system: 'a trigger, not a person',
};

/** `dana (only said, proved by nobody)`. */
export const submitterText = ({ identity, assurance }: ReviewRequest['submittedBy']): string =>
  `${identity === '' ? 'nobody' : oneLine(identity, 80)} (${ASSURED[assurance]})`;

/** `release 1.7.0: Writes the notes and has them signed.` */
export function purposeText({ name, version, description }: ReviewRequest['topology']): string {
  const which =
    version === null || name.includes('@') ? oneLine(name, 80) : `${oneLine(name, 80)} ${oneLine(version, 40)}`;
  return description === null ? which : `${which}: ${oneLine(description, 400)}`;
}

/** How what is asked is shown. */
export interface AskedLook {
  /** How the rest of a long input is had. */
  readonly more: string;
  /** The gate in full stands beside it: critique and decisions are not said twice. */
  readonly hasGate: boolean;
  /** It is read later: it says when people were asked, not how long ago. Default false. */
  readonly isKept?: boolean;
}

/**
 * What is asked, fact by fact, in the order in which a person reads it. The text of a fact is
 * foreign and keeps its line breaks.
 */
export function askedFacts(asked: ReviewRequest, { more, hasGate, isKept = false }: AskedLook): readonly AskedFact[] {
  const { input, spent, labels, correlationId, attachments } = asked;
  const cut = input.isCut ? `\n... ${input.chars - input.text.length} more characters: ${more}` : '';
  const marks = [
    ...Object.entries(labels).map(([name, value]) => `${oneLine(name, 60)}=${oneLine(value, 120)}`),
    ...(correlationId === null ? [] : [`correlation ${oneLine(correlationId, 120)}`]),
  ];
  return [
    fact('what', purposeText(asked.topology)),
    ...(asked.call === null ? [] : [fact('call', callText(asked.call), 'warn')]),
    fact('input', `${input.text}${cut}`),
    ...(attachments.length === 0 ? [] : [fact('attached', attachments.map((name) => oneLine(name, 80)).join(', '))]),
    fact('from', `${submitterText(asked.submittedBy)}, through ${oneLine(asked.source, 60)}`),
    ...(marks.length === 0 ? [] : [fact('labels', marks.join(', '))]),
    fact('asked', `${isKept ? instantText(asked.askedAt) : `${ageText(asked.ageMs)} ago`}; ${spentText(spent)}`),
    ...(hasGate ? [] : judgedFacts(asked)),
    ...ledFacts(asked),
    ...(asked.you === null
      ? []
      : [
          asked.you.canDecide
            ? fact('you', 'can decide', 'good')
            : fact('you', `cannot decide: ${oneLine(asked.you.whyNot ?? '', 400)}`, 'warn'),
        ]),
  ];
}

/** `2030-01-02 03:04:05Z` */
const instantText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z`;

function spentText(spent: ReviewRequest['spent']): string {
  if (spent === null) return 'nothing spent yet';
  const used = spent.inputTokens + spent.outputTokens > 0 ? ` (${tokensText(spent)})` : '';
  return `${costText(spent.costUsd)} so far${used}`;
}

const fact = (name: string, text: string, tone: Tone = 'plain'): AskedFact => ({ name, text, tone });

function callText({ name, reason, approvers }: NonNullable<ReviewRequest['call']>): string {
  const left = approvers.length === 0 ? '' : `; left to ${approvers.map((one) => oneLine(one, 60)).join(', ')}`;
  return `${oneLine(name, 160)}: ${oneLine(reason, 300)}${left}`;
}

const judgedFacts = ({ critique, decisions }: ReviewRequest): readonly AskedFact[] => [
  ...(critique === null ? [] : [fact('critique', critique, 'warn')]),
  ...decisions.map((made) => fact('decided', decisionText(made), made.counts ? 'plain' : 'dim')),
];

const OUTCOMES = { approve: 'approved', reject: 'rejected', changes_requested: 'asked for changes' } as const;

function decisionText(made: ReviewRequest['decisions'][number]): string {
  const { by, role, outcome, comment, answer, round, counts } = made;
  const who = `${by === '' ? 'somebody' : oneLine(by, 60)}${role === null ? '' : ` for ${oneLine(role, 60)}`}`;
  const where = counts ? '' : `, round ${round}, no longer counts`;
  const did = answer === undefined ? OUTCOMES[outcome] : `answered ${JSON.stringify(oneLine(answer, 600))}`;
  return `${who} ${did}${where}${comment === '' ? '' : `: ${oneLine(comment, 600)}`}`;
}

function ledFacts({ led, runId }: ReviewRequest): readonly AskedFact[] {
  if (led === null || led.steps.length === 0) return [];
  const rest = led.leftOut === 0 ? [] : [`... and ${countText(led.leftOut, 'step')} more: kit trace ${runId}`];
  return [fact('led here', [...led.steps.map(stepText), ...rest].join('\n'))];
}

/** `  read-file  ok ×3  1.2 s`. */
function stepText(step: LedStep): string {
  const { depth, name, status, count, modelCalls, durationMs, costUsd } = step;
  const facts = [
    ...(modelCalls === 0 ? [] : [countText(modelCalls, 'model call')]),
    ...(durationMs === null ? [] : [durationText(durationMs)]),
    ...(costUsd === null || costUsd === 0 ? [] : [costText(costUsd)]),
  ];
  const times = count === 1 ? '' : ` ×${count}`;
  return `${'  '.repeat(Math.min(depth, 8))}${oneLine(name, 80)}  ${oneLine(status, 60)}${times}${facts.length === 0 ? '' : `  ${facts.join(' · ')}`}`;
}
