import type { RunTrace } from '../app/observe/observe-app.js';
import { agentStatusText } from '../view/agent-status.js';
import { type AgentGraph, type CallGraph, type CallRow, callGraph } from '../view/call-graph.js';
import { outcomeSuffix, toneWith } from '../view/executor-outcome.js';
import { outagesText } from '../view/lines/failure-text.js';
import { bytesText, countText, durationText, oneLine, timeText } from '../view/lines/words.js';
import type { RunView } from '../view/run-view.js';
import type { UsageView } from '../view/usage-view.js';
import { lineTexts } from './lines/line-texts.js';
import { createPaint, type Paint } from './lines/paint.js';
import { type Column, cut, table } from './lines/table.js';
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
import type { ObserveOptions } from './status-text.js';

/**
 * One run: what it was, who called what, and who used what. The view is folded from `EMPTY_TRACE`.
 */
export function traceText(run: RunTrace, options: ObserveOptions): string {
  const paint = createPaint(options.color);
  const blocks = [
    headLines(run, paint),
    graphLines(run.view, { ...options, paint }),
    gateLines(run.view, { ...options, paint }),
    usageLines('AGENT', run.view.usageByAgent, { ...options, paint }),
    usageLines('MODEL', run.view.usageByModel, { ...options, paint }),
    run.view.warnings.map((warning) => warningLine(warning, paint)),
  ];
  return blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n');
}

type Options = ObserveOptions & { readonly paint: Paint };

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
    `${durationText(job.executedMs)} of execution`,
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

const GATE_COLUMNS: readonly Column[] = [
  { title: 'GATE' },
  { title: 'ROUND', align: 'right', dropFirst: 2 },
  { title: 'STATUS' },
  { title: 'DECISIONS', canShrink: true },
  { title: 'ARTIFACT', canShrink: true, dropFirst: 1 },
];

/** Each gate in its newest round, as the events tell; ids in full, because people paste them. */
function gateLines(view: RunView, options: Options): readonly string[] {
  const rows = Object.values(view.gates).map((gate) => [
    { text: oneLine(gate.gateId, 200) },
    { text: String(gate.round) },
    {
      text: gate.withdrawn ? 'withdrawn' : gate.status,
      tone: gate.status === 'approved' ? ('good' as const) : ('warn' as const),
    },
    {
      text: oneLine(
        gate.decisions
          .map(({ by, role, outcome }) => `${by}${role === null ? '' : ` (${role})`}: ${outcome}`)
          .join(', '),
        300,
      ),
    },
    { text: oneLine(gate.artifactRef, 200) },
  ]);
  return rows.length === 0 ? [] : table(GATE_COLUMNS, rows, options);
}

const usageColumns = (title: string): readonly Column[] => [
  { title, canShrink: true },
  { title: 'INPUT', align: 'right' },
  { title: 'CACHED', align: 'right' },
  { title: 'OUTPUT', align: 'right' },
  { title: 'REASONING', align: 'right' },
  { title: 'COST', align: 'right' },
];

/** Exact numbers: this is where somebody looks who compares them. */
function usageLines(title: string, by: Readonly<Record<string, UsageView>>, options: Options): readonly string[] {
  const rows = mostUsed(by).map(([name, usage]) => [
    { text: oneLine(name, 80) },
    { text: String(usage.inputTokens) },
    { text: usage.cachedInputTokens === 0 ? '' : String(usage.cachedInputTokens) },
    { text: String(usage.outputTokens) },
    { text: usage.reasoningTokens === 0 ? '' : String(usage.reasoningTokens) },
    { text: shortSpentText(usage) },
  ]);
  return rows.length === 0 ? [] : table(usageColumns(title), rows, options);
}
