import { isParked, type Job } from '../domain/job.js';
import { type PastePlace, placeWord, shellWord } from '../lib/shell-word.js';
import { agentStatusText } from '../view/agent-status.js';
import { agentTree } from '../view/agent-tree.js';
import { outcomeSuffix, toneWith } from '../view/executor-outcome.js';
import type { GateDetails } from '../view/gate-details.js';
import type { Tone } from '../view/lines/tone.js';
import { costText, countText, durationText, manyLines, oneLine, tokensText, usageNotes } from '../view/lines/words.js';
import type { AgentView, ExecutorResultView, RunView } from '../view/run-view.js';
import { costOf, type UsageView } from '../view/usage-view.js';
import { isUngated } from '../view/warnings.js';
import {
  artifactCommand,
  gateActions,
  itemLines,
  onlyGateOf,
  type PasteOptions,
  type Waiting,
} from './lines/gate-actions.js';
import type { GoOn } from './lines/go-on-after.js';
import { createPaint, type Paint } from './lines/paint.js';
import { warningLine } from './lines/warning-line.js';
import { agentTone, isUsed } from './lines/words.js';

/** What of the job the summary needs besides the folded view. */
export type SummaryJob = Pick<
  Job,
  'id' | 'topology' | 'status' | 'reason' | 'error' | 'output' | 'diffLength' | 'executedMs' | 'waitingOn' | 'needs'
>;

export interface SummaryOptions {
  readonly color: boolean;
  /** Adds a line per agent and per model. */
  readonly verbose: boolean;
  /** The tree of agents stands above already: no line per agent. */
  readonly hasTree?: boolean;
  /** Only the output. */
  readonly quiet?: boolean;
  readonly workspaceArgument: PastePlace;
  /** How a failed run goes on (`goOnAfter`); absent = nobody goes on with it. */
  readonly goOn?: GoOn | null;
  /** What a parked run waits for; absent = it could not be read. */
  readonly waiting?: Waiting;
}

/**
 * The end of a run as text: output, status with its reason, what it used, warnings, and the command
 * to go on with.
 */
export function runSummary(view: RunView, job: SummaryJob, options: SummaryOptions): string {
  const paint = createPaint(options.color);
  const output = job.output === null ? [] : [manyLines(job.output)];
  if (options.quiet === true) return output.join('\n');
  const blocks = [
    output,
    statusLines(view, job, paint),
    options.verbose ? detailLines(view, options, paint) : [],
    warningLines(view, options, paint),
    nextLines(job, { ...options, hasDiff: hasDiff(view, job) }, paint),
  ];
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n');
}

function statusLines(view: RunView, job: SummaryJob, paint: Paint): readonly string[] {
  const bad = view.executors.filter(({ outcome }) => outcome !== null && !outcome.passed);
  const good: Tone = bad.length === 0 ? 'good' : 'warn';
  const tone: Tone = job.status === 'completed' ? good : job.status === 'failed' ? 'bad' : 'warn';
  const head = `${paint(tone, `${job.status}${job.reason === null ? '' : `: ${oneLine(job.reason)}`}`)}  run ${job.id} of ${oneLine(job.topology, 80)}`;
  const error = job.error === null ? [] : [`  ${oneLine(job.error, 600)}`];
  const outcomes = view.executors.flatMap((result) => outcomeLines(result, paint));
  const diff = job.diffLength === null || job.diffLength === 0 ? [] : [`diff of ${job.diffLength} characters`];
  const facts = [
    durationText(job.executedMs),
    countText(view.order.length, 'agent'),
    countText(view.calls.model, 'model call'),
    countText(view.calls.tools, 'tool call'),
    usageText(view.usage),
    ...(view.memoryUsage === undefined ? [] : [`of it memory ${costText(costOf(view.memoryUsage))}`]),
    ...diff,
  ];
  return [head, ...error, ...outcomes, paint('dim', `  ${facts.join(' · ')}`)];
}

/** What tests and other work outside a model came to: `tests: 1 of 3 failed, exit code 1`. */
function outcomeLines({ agentId, ref, outcome }: ExecutorResultView, paint: Paint): readonly string[] {
  if (outcome === null) return [];
  const text = `${oneLine(agentId ?? ref, 60)}${outcomeSuffix(outcome)}`;
  return [`  ${paint(outcome.passed ? 'plain' : 'bad', text)}`];
}

/** Known cost and the number of calls without one: "at least" is said, never guessed. */
function usageText(usage: UsageView): string {
  const cost = costOf(usage);
  const text =
    cost === null && usage.knownCostUsd > 0
      ? `at least ${costText(usage.knownCostUsd)}, ${countText(usage.unknownCosts, 'cost')} unknown`
      : costText(cost);
  return `${tokensText(usage)} · ${text}${usageNotes(usage)}`;
}

function detailLines(view: RunView, options: SummaryOptions, paint: Paint): readonly string[] {
  const tree = options.hasTree === true ? [] : agentTree(view);
  const agents = tree.map(({ agent, depth }) => `  ${'  '.repeat(depth)}${agentLine(agent, view, paint)}`);
  const models = Object.entries(view.usageByModel)
    .filter(([, usage]) => isUsed(usage))
    .map(([model, usage]) => `  ${oneLine(model, 60)}: ${usageText(usage)}`);
  return [...agents, ...models];
}

function agentLine(agent: AgentView, view: RunView, paint: Paint): string {
  const tone = toneWith(agent.outcome, agentTone(agent.status));
  const time = agent.durationMs === null ? '' : ` ${durationText(agent.durationMs)}`;
  const reason = agent.reason === null ? outcomeSuffix(agent.outcome) : ` (${oneLine(agent.reason)})`;
  return `${oneLine(agent.agentId, 60)} ${paint(tone, agentStatusText(agent, view))}${reason}${time}, ${countText(agent.calls.tools, 'tool call')}, ${usageText(agent.usage)}`;
}

const SHOWN_WARNINGS = 5;

function warningLines(view: RunView, options: SummaryOptions, paint: Paint): readonly string[] {
  // A gate that nobody was asked about is never among those that are left out.
  const first = view.warnings.filter(isUngated);
  const sorted = [...first, ...view.warnings.filter((warning) => !isUngated(warning))];
  const shown = options.verbose ? sorted : sorted.slice(0, Math.max(SHOWN_WARNINGS, first.length));
  const lines = shown.map((warning) => warningLine(warning, paint));
  const hidden = view.warnings.length - shown.length;
  return hidden === 0 ? lines : [...lines, paint('dim', `  and ${hidden} more; --verbose shows them`)];
}

function waitingLines(job: SummaryJob, { waiting, ...options }: SummaryOptions, paint: Paint): readonly string[] {
  if (waiting === undefined) return [];
  const gates = waiting.gates.filter((gate) => !gate.resolved && !gate.withdrawn);
  return [
    ...gates.flatMap((gate) => gateLines(gate, { ...options, ...onlyGateOf(waiting, job) }, paint)),
    ...waiting.items.flatMap((item) => itemLines(item, options)),
  ];
}

function gateLines(gate: GateDetails, options: PasteOptions, paint: Paint): readonly string[] {
  const round = gate.round === 0 ? '' : `, round ${gate.round}`;
  const head = `gate ${paint('strong', oneLine(gate.gateId, 120))}${round}: ${oneLine(gate.artifactRef, 200)}`;
  return [
    head,
    `  ${paint('dim', artifactCommand(gate.artifactRef, options))}`,
    ...gateActions(gate, options, paint).map((line) => `  ${line}`),
  ];
}

type NextOptions = SummaryOptions & { readonly hasDiff: boolean };

/** The row of a run tells of its diffs when it has ended; until then its sessions do. */
const hasDiff = ({ executors }: RunView, { diffLength }: SummaryJob): boolean =>
  (diffLength ?? 0) > 0 || executors.some(({ diffBytes }) => diffBytes > 0);

/** What to paste next; nothing when the run is over and went well. */
function nextLines(job: SummaryJob, options: NextOptions, paint: Paint): readonly string[] {
  if (isParked(job.status) && job.needs.cassette !== undefined)
    return [
      `a replay ends where the run ${job.status === 'deferred' ? 'waits for people' : 'was stopped'}: nobody goes on with it`,
    ];
  const workspace = placeWord(options.workspaceArgument);
  const resume = `kit run${workspace} ${shellWord(job.topology)} --resume=${job.id}`;
  if (job.status === 'deferred') {
    const waiting = job.waitingOn.map((gate) => oneLine(gate, 120)).join(', ');
    return [
      `waiting for ${waiting === '' ? 'a decision' : waiting}`,
      ...waitingLines(job, options, paint),
      ...diffLines(job, options, paint),
      `${paint('dim', 'look:')}   kit review list${workspace}`,
      `${paint('dim', 'then:')}   ${goesOnByItself(options) ? `it goes on by itself once this is decided; by hand: ${resume}` : resume}`,
    ];
  }
  if (isParked(job.status)) return [`${paint('dim', 'go on:')}  ${resume}`, ...diffLines(job, options, paint)];
  if (options.goOn) return [...goOnLines(options.goOn, paint), ...diffLines(job, options, paint)];
  return diffLines(job, options, paint);
}

/** People decide, and what they decide wakes the run. */
const goesOnByItself = ({ waiting }: SummaryOptions): boolean =>
  waiting?.autoResume === true && waiting.gates.length + waiting.items.length > 0;

const goOnLines = ({ fact, line }: GoOn, paint: Paint): readonly string[] => [
  ...(fact === null ? [] : [`${paint('dim', 'needs first:')}  ${oneLine(fact, 300)}`]),
  `${paint('dim', 'go on:')}  ${oneLine(line, 4000)}`,
];

/** Where what harnesses changed is seen, and how it comes home. */
function diffLines({ id, status }: SummaryJob, options: NextOptions, paint: Paint): readonly string[] {
  if (!options.hasDiff) return [];
  const workspace = placeWord(options.workspaceArgument, ' -w ');
  const look = `${paint('dim', 'diff:')}   kit diff ${id}${workspace}`;
  return status === 'completed' ? [look, `${paint('dim', 'apply:')}  kit apply ${id}${workspace}`] : [look];
}
