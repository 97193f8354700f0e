import type { RunTrace } from '../app/observe/observe-app.js';
import { agentStatusText } from '../view/agent-status.js';
import { type AgentGraph, type CallGraph, type CallRow, callGraph } from '../view/call-graph.js';
import { outcomeSuffix, toneWith } from '../view/executor-outcome.js';
import { outagesText } from '../view/lines/failure-text.js';
import { bytesText, countText, durationText, oneLine, timeText } from '../view/lines/words.js';
import type { GateView, RunView } from '../view/run-view.js';
import type { UsageView } from '../view/usage-view.js';
import { lineTexts } from './lines/line-texts.js';
import { createPaint, type Paint } from './lines/paint.js';
import { type Column, cut, type TableOptions, table } from './lines/table.js';
import { warningLine } from './lines/warning-line.js';
import {
  agentTone,
  callTone,
  isUsed,
  jobTone,
  mostUsed,
  shortSpentText,
  toolCallsText,
  topologyText,
  usageText,
  wallText,
} from './lines/words.js';

/**
 * One run: what it was, who called what, and who used what. The view is folded from `EMPTY_TRACE`.
 */
export function traceText(run: RunTrace, options: TableOptions): string {
  const paint = createPaint(options.color);
  const tableOf = <T>(columns: readonly Column<T>[], rows: readonly T[]): readonly string[] =>
    rows.length === 0 ? [] : table(columns, rows, options);
  const blocks = [
    headLines(run, paint),
    graphLines(run.view, { ...options, paint }),
    tableOf(GATE_COLUMNS, Object.values(run.view.gates)),
    tableOf(usageColumns('AGENT'), mostUsed(run.view.usageByAgent)),
    tableOf(usageColumns('MODEL'), mostUsed(run.view.usageByModel)),
    run.view.warnings.map((warning) => warningLine(warning, paint)),
  ];
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n');
}

type Options = TableOptions & { readonly paint: Paint };

function headLines({ job, view, wallMs, line }: RunTrace, paint: Paint): readonly string[] {
  const reason = job.reason === null ? '' : `: ${oneLine(job.reason)}`;
  const resumes = view.resumes === 0 ? [] : [`resumed ${countText(view.resumes, 'time')}`];
  // What is down is told in words of its own.
  const waiting =
    job.waitingOn.length === 0 || Object.keys(view.outages).length > 0
      ? []
      : [`waits for ${oneLine(job.waitingOn.join(', '), 200)}`];
  const times = [
    `began ${timeText(job.startedAt ?? job.createdAt)}`,
    ...(wallMs === null ? [] : [`took ${wallText(wallMs)}`]),
    // A run that never waited executed all the time; its claim is counted, too.
    ...(wallMs !== null && job.executedMs >= wallMs ? [] : [`${durationText(job.executedMs)} of execution`]),
    ...resumes,
    ...waiting,
  ];
  const outage = outagesText(view);
  const facts = [
    countText(view.order.length, 'agent'),
    countText(view.calls.model, 'model call'),
    toolCallsText(view.calls),
    ...compressionTexts(view),
    usageText(view.usage),
  ];
  return [
    `${paint('strong', `run ${job.id}`)} of ${topologyText(job)}  ${paint(jobTone(job.status), `${job.status}${reason}`)}`,
    ...(job.error === null ? [] : [`  ${oneLine(job.error, 600)}`]),
    ...lineTexts(job, line).map((words) => paint('dim', `  ${words}`)),
    ...(outage === null ? [] : [paint('warn', `  ${outage}`)]),
    paint('dim', `  submitted by ${oneLine(job.submittedBy.identity, 80)} · ${times.join(' · ')}`),
    paint('dim', `  ${facts.join(' · ')}`),
  ];
}

function compressionTexts({ compression: { calls, bytesIn, bytesOut } }: RunView): readonly string[] {
  return calls === 0
    ? []
    : [`${countText(calls, 'result')} compressed from ${bytesText(bytesIn)} to ${bytesText(bytesOut)}`];
}

function graphLines(view: RunView, options: Options): readonly string[] {
  const lines: string[] = [];
  const visit = (node: CallGraph, place: { readonly lead: string; readonly under: string }): void => {
    const text = node.kind === 'agent' ? agentWords(node, view) : callWords(node);
    const tone =
      node.kind === 'agent' ? toneWith(node.agent.outcome, agentTone(node.agent.status)) : callTone(node.call.status);
    const room = options.width === null ? Number.POSITIVE_INFINITY : Math.max(20, options.width - place.lead.length);
    const strong = node.kind === 'agent' ? oneLine(node.agent.agentId, 60) : '';
    lines.push(
      `${options.paint('dim', place.lead)}${options.paint('strong', strong)}${options.paint(tone, cut(text, room - strong.length))}`,
    );
    if (node.kind === 'calls') return;
    node.children.forEach((child, index) => {
      const isLast = index === node.children.length - 1;
      visit(child, {
        lead: `${place.under}${isLast ? '└─ ' : '├─ '}`,
        under: `${place.under}${isLast ? '   ' : '│  '}`,
      });
    });
  };
  for (const root of callGraph(view)) visit(root, { lead: '', under: '' });
  return lines;
}

function agentWords({ agent }: AgentGraph, view: RunView): string {
  const executor = agent.executor === 'model' ? '' : ` (${oneLine(agent.executor, 60)})`;
  const reason = agent.reason === null ? outcomeSuffix(agent.outcome) : `: ${oneLine(agent.reason)}`;
  const time = agent.durationMs === null ? '' : ` in ${durationText(agent.durationMs)}`;
  const usage = isUsed(agent.usage) ? ` · ${usageText(agent.usage)}` : '';
  return `${executor} ${agentStatusText(agent, view)}${reason}${time}${usage}`;
}

function callWords({ call, count, longestMs }: CallRow): string {
  const times = count === 1 ? '' : ` ×${count}`;
  const time = longestMs === null ? '' : ` ${count === 1 ? '' : 'at most '}${durationText(longestMs)}`;
  const reason = call.reason === null ? '' : `: ${oneLine(call.reason)}`;
  const said = call.said === undefined ? '' : ` (${oneLine(call.said, 160)})`;
  const usage = call.usage !== null && isUsed(call.usage) ? ` · ${usageText(call.usage)}` : '';
  return `${oneLine(call.name, 80)}${times} ${call.status === 'seen' ? 'under way' : call.status}${reason}${said}${time}${usage}`;
}

const decisionsText = ({ decisions }: GateView): string =>
  decisions.map(({ by, role, outcome }) => `${by}${role === null ? '' : ` (${role})`}: ${outcome}`).join(', ');

/** Each gate in its newest round, as the events tell; ids in full, because people paste them. */
const GATE_COLUMNS: readonly Column<GateView>[] = [
  { title: 'GATE', of: ({ gateId }) => oneLine(gateId, 200) },
  { title: 'ROUND', align: 'right', dropFirst: 2, of: ({ round }) => String(round) },
  {
    title: 'STATUS',
    of: ({ withdrawn, status }) => (withdrawn ? 'withdrawn' : status),
    tone: ({ status }) => (status === 'approved' ? 'good' : 'warn'),
  },
  { title: 'DECISIONS', canShrink: true, of: (gate) => oneLine(decisionsText(gate), 300) },
  { title: 'ARTIFACT', canShrink: true, dropFirst: 1, of: ({ artifactRef }) => oneLine(artifactRef, 200) },
];

/** Exact numbers: this is where somebody looks who compares them. */
const usageColumns = (title: string): readonly Column<readonly [name: string, usage: UsageView]>[] => [
  { title, canShrink: true, of: ([name]) => oneLine(name, 80) },
  { title: 'INPUT', align: 'right', of: ([, { inputTokens }]) => String(inputTokens) },
  {
    title: 'CACHED',
    align: 'right',
    of: ([, { cachedInputTokens: cached }]) => (cached === 0 ? '' : String(cached)),
  },
  { title: 'OUTPUT', align: 'right', of: ([, { outputTokens }]) => String(outputTokens) },
  {
    title: 'REASONING',
    align: 'right',
    of: ([, { reasoningTokens: reasoning }]) => (reasoning === 0 ? '' : String(reasoning)),
  },
  { title: 'COST', align: 'right', of: ([, usage]) => shortSpentText(usage) },
];
