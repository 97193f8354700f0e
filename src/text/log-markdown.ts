import { wallMsOf } from '../app/observe/run-status.js';
import type { StoredEvent } from '../domain/events.js';
import type { Job } from '../domain/job.js';
import { agentStatusText } from '../view/agent-status.js';
import { agentTree } from '../view/agent-tree.js';
import { eventText } from '../view/lines/event-text.js';
import { countText, durationText, oneLine, timeText } from '../view/lines/words.js';
import type { RunView } from '../view/run-view.js';
import { spentText, topologyText } from './lines/words.js';

/** A run as a page of Markdown. */
export interface LogPage {
  readonly job: Job;
  /** Folded from every event. */
  readonly view: RunView;
  /** Those that pass the filters, in order. */
  readonly shown: readonly StoredEvent[];
}

/**
 * Title, summary, performance, denials, failures, timeline: what a person pastes into an issue.
 * Nothing in it is markup of the run's own.
 */
export function logMarkdown({ job, view, shown }: LogPage): string {
  const denials = shown.filter(isDenial);
  const failures = shown.filter(isFailure);
  return [
    `# Run ${job.id} of ${plain(topologyText(job))}`,
    '',
    ...tableOf(['Summary', ''], summaryRows({ job, view, shown }, { denials, failures })),
    '',
    '## Performance',
    '',
    ...tableOf(
      ['Agent', 'Status', 'Time', 'Model calls', 'Tool calls', 'Tokens in', 'Tokens out', 'Cost'],
      performanceRows(view),
    ),
    ...listOf('Denials', denials),
    ...listOf('Failures', failures),
    ...listOf('Timeline', shown),
  ].join('\n');
}

function summaryRows(
  { job, view, shown }: LogPage,
  found: { readonly denials: readonly unknown[]; readonly failures: readonly unknown[] },
): readonly (readonly string[])[] {
  const wallMs = wallMsOf(job, Date.parse(view.lastAt ?? job.createdAt));
  const done = Object.values(view.agents).filter(({ status }) => status !== 'running').length;
  return [
    ['Status', `${job.status}${job.reason === null ? '' : `: ${plain(job.reason)}`}`],
    ...(job.error === null ? [] : [['Error', plain(job.error, 600)]]),
    ['Submitted by', plain(job.submittedBy.identity)],
    ['Began', timeText(job.startedAt ?? job.createdAt)],
    ['Time', wallMs === null ? 'not begun' : durationText(wallMs)],
    ['Agents', `${done} of ${view.order.length} done`],
    ['Model calls', String(view.calls.model)],
    ['Tool calls', String(view.calls.tools)],
    ['Denials', String(found.denials.length)],
    ['Failures', String(found.failures.length)],
    ['Tokens', `${view.usage.inputTokens} in, ${view.usage.outputTokens} out`],
    ['Cost', spentText(view.usage)],
    ['Events', countText(shown.length, 'event')],
  ];
}

const performanceRows = (view: RunView): readonly (readonly string[])[] =>
  agentTree(view).map(({ agent, depth }) => [
    `${'&nbsp;&nbsp;'.repeat(depth)}${plain(agent.agentId)}`,
    agentStatusText(agent, view),
    agent.durationMs === null ? '' : durationText(agent.durationMs),
    String(agent.calls.model),
    String(agent.calls.tools),
    String(agent.usage.inputTokens),
    String(agent.usage.outputTokens),
    spentText(agent.usage),
  ]);

function isDenial(event: StoredEvent): boolean {
  if (event.type === 'policy.denied' || event.type === 'tool.refused' || event.type === 'skill.gap') return true;
  return event.type === 'agent.completed' && event.payload.status === 'denied';
}

function isFailure(event: StoredEvent): boolean {
  switch (event.type) {
    case 'output.validation_failed':
    case 'limit.breached':
      return true;
    case 'executor.result':
      return event.payload.status !== 'success';
    case 'agent.completed':
    case 'model.called':
    case 'skill.executed':
    case 'run.ended':
      return event.payload.status === 'failed';
    default:
      return false;
  }
}

function listOf(title: string, events: readonly StoredEvent[]): readonly string[] {
  if (events.length === 0) return [];
  const lines = events.map((event) => {
    const who = event.agentId === null ? '' : `**${plain(event.agentId)}** `;
    return `- \`${event.timestamp.slice(11, 19)}\` ${who}${plain(eventText(event).text, 600)}`;
  });
  return ['', `## ${title}`, '', ...lines];
}

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => ' --- ').join('|')}|`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
];

/** Text of models and tools as text: no link, no heading, no HTML, no cell of its own. */
const plain = (text: string, max = 160): string =>
  oneLine(text, max)
    .replace(/[\\`*_{}[\]#+!|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
