import type { FleetMember, SeenMember } from '../../domain/ports/fleet.js';
import type { QueueStats } from '../../domain/ports/serving.js';
import { assertNever } from '../../lib/assert-never.js';
import { clockWarning } from '../../lib/clock-off.js';
import {
  busyAgent,
  type FleetOverview,
  isClaimOf,
  type RunningRun,
  type Some,
  type WaitingItem,
} from '../../view/fleet-overview.js';
import { outagesText } from '../../view/lines/failure-text.js';
import { durationText, oneLine } from '../../view/lines/words.js';
import { outageOfAgent } from '../../view/outage-view.js';
import type { AgentView, RunView } from '../../view/run-view.js';
import { createPaint, type Paint } from '../lines/paint.js';
import { type Cell, type Column, table } from '../lines/table.js';
import { agentWords } from '../live/agent-words.js';
import { blockedLines } from '../observe/queue-text.js';
import { shortSpentText, topologyText } from '../observe/words.js';

/** How the page is shown. */
export interface TopOptions {
  readonly color: boolean;
  /** Columns of the terminal; null = no terminal, and nothing is ever cut. */
  readonly width: number | null;
}

/** The whole page, a line each: the queue, who works, what runs, what people have to decide. */
export function topLines(overview: FleetOverview, options: TopOptions): readonly string[] {
  const paint = createPaint(options.color);
  const look: Look = { paint, width: options.width };
  const clock = clockWarning(overview.storeAheadMs);
  return [
    ...(clock === null ? [] : [paint('warn', clock), '']),
    ...queueLines(overview.queue, paint),
    '',
    ...memberLines(overview.members, look),
    '',
    ...runLines(overview, look),
    '',
    ...waitingLines(overview.waiting, look),
  ];
}

interface Look {
  readonly paint: Paint;
  readonly width: number | null;
}

const times = (p50: number | null, p95: number | null): string =>
  p50 === null || p95 === null ? 'not known yet' : `p50 ${durationText(p50)}, p95 ${durationText(p95)}`;

function queueLines(queue: QueueStats, paint: Paint): readonly string[] {
  const oldest = queue.oldestQueuedAgeMs === null ? '' : `, the oldest for ${durationText(queue.oldestQueuedAgeMs)}`;
  const [most] = Object.entries(queue.depthByTopology).toSorted(([, a], [, b]) => b - a);
  const of = most === undefined ? '' : `, ${most[1]} of them ${oneLine(most[0], 40)}`;
  return [
    `${paint('strong', 'queue')}  ${queue.queued} waiting${oldest}${of} · ${queue.running} running`,
    paint(
      'dim',
      `       wait ${times(queue.queueWaitP50Ms, queue.queueWaitP95Ms)} · execution ${times(queue.executionP50Ms, queue.executionP95Ms)}`,
    ),
    ...blockedLines(queue.blocked).map((line) => paint('warn', `  ${line}`)),
  ];
}

/** A title with its count, then the table, then how many rows are not shown. */
function section<T>(
  of: { readonly title: string; readonly none: string; readonly list: Some<T> },
  tableOf: (rows: readonly T[]) => readonly string[],
  { paint }: Look,
): readonly string[] {
  const { rows, total } = of.list;
  const left = total - rows.length;
  if (rows.length === 0) return [`${paint('strong', of.title)}  ${of.none}`];
  return [
    `${paint('strong', of.title)}  ${total}`,
    ...tableOf(rows),
    ...(left > 0 ? [paint('dim', `  and ${left} more`)] : []),
  ];
}

const MEMBER_COLUMNS: readonly Column[] = [
  { title: 'KIND' },
  { title: 'HOST', canShrink: true },
  { title: 'PID', align: 'right', dropFirst: 3 },
  { title: 'CLASS', dropFirst: 4 },
  { title: 'SLOTS', align: 'right' },
  { title: 'VERSION', dropFirst: 1 },
  { title: 'ENGINE', align: 'right', dropFirst: 2 },
  { title: 'LAST BEAT' },
];

function memberLines(members: FleetOverview['members'], look: Look): readonly string[] {
  const title = 'servers and workers';
  if (members === null)
    return [`${look.paint('strong', title)}  ${look.paint('warn', 'their rows (storage.fleet) cannot be read')}`];
  return section(
    { title, none: 'none', list: members },
    (rows) => table(MEMBER_COLUMNS, rows.map(memberCells), look),
    look,
  );
}

/** One that fell silent is dimmed, and says so in words. */
function memberCells(member: SeenMember): readonly Cell[] {
  const tone = member.isAlive ? 'plain' : 'dim';
  const ago = `${durationText(member.silentMs)} ago`;
  return [
    member.kind,
    oneLine(member.hostname, 60),
    String(member.pid),
    member.kind === 'api' ? '' : member.jobClass,
    slotsText(member),
    oneLine(member.version, 20),
    String(member.engine),
    member.isAlive ? ago : `gone, ${ago}`,
  ].map((text): Cell => ({ text, tone }));
}

function slotsText({ kind, active, concurrency }: Pick<FleetMember, 'kind' | 'active' | 'concurrency'>): string {
  switch (kind) {
    case 'api':
      return '';
    case 'server':
    case 'worker':
      return concurrency === 0 ? `${active} left, drains` : `${active}/${concurrency}`;
    default:
      return assertNever(kind);
  }
}

const RUN_COLUMNS: readonly Column[] = [
  { title: 'RUN' },
  { title: 'TOPOLOGY', canShrink: true },
  { title: 'AGENT', canShrink: true },
  { title: 'DOES', canShrink: true, dropFirst: 2 },
  { title: 'TIME', align: 'right' },
  { title: 'COST', align: 'right', dropFirst: 3 },
  { title: 'ON', canShrink: true, dropFirst: 1 },
];

function runLines({ runs, members }: FleetOverview, look: Look): readonly string[] {
  const rowsOf = (rows: readonly RunningRun[]): readonly string[] =>
    table(
      RUN_COLUMNS,
      rows.map((run) => runCells(run, members?.rows ?? [])),
      look,
    );
  return section({ title: 'running', none: 'nothing', list: runs }, rowsOf, look);
}

function runCells({ job, view, elapsedMs }: RunningRun, members: readonly SeenMember[]): readonly Cell[] {
  const agent = busyAgent(view);
  return [
    { text: job.id, tone: 'strong' },
    { text: topologyText(job) },
    { text: agent === null ? '' : oneLine(agent.agentId, 40) },
    { text: agent === null ? '' : doesText(agent, view) },
    { text: durationText(elapsedMs) },
    { text: shortSpentText(view.usage) },
    { text: workerText(job.workerId, members) },
  ];
}

/** What the agent is at; where it does not wait itself, what other calls of the run wait for. */
function doesText(agent: AgentView, view: RunView): string {
  const { words } = agentWords(agent, { view, hasEnded: false });
  const others = outageOfAgent(agent, view) === null ? outagesText(view) : null;
  return others === null ? words : `${words}; ${others}`;
}

/** Host and pid of who executes it; one that is not alive says so. */
function workerText(workerId: string | null, members: readonly SeenMember[]): string {
  if (workerId === null) return '';
  const member = members.find((one) => isClaimOf(workerId, one));
  const name = oneLine(member === undefined ? workerId : `${member.hostname}:${member.pid}`, 60);
  return member === undefined || member.isAlive ? name : `${name} (gone)`;
}

const WAITING_COLUMNS: readonly Column[] = [
  { title: 'WAITS FOR', canShrink: true },
  { title: 'GATE', canShrink: true },
  { title: 'TOPOLOGY', canShrink: true, dropFirst: 1 },
  { title: 'RUN', dropFirst: 2 },
  { title: 'AGE', align: 'right' },
];

function waitingLines(waiting: Some<WaitingItem>, look: Look): readonly string[] {
  const cells = (item: WaitingItem): readonly Cell[] => [
    { text: oneLine(item.role ?? item.kind, 40) },
    { text: oneLine(item.gateId ?? item.id, 80) },
    { text: oneLine(item.topology, 40) },
    { text: item.jobId },
    { text: durationText(item.ageMs) },
  ];
  return section(
    { title: 'open gates and questions', none: 'none', list: waiting },
    (rows) => table(WAITING_COLUMNS, rows.map(cells), look),
    look,
  );
}

/** The page as it is printed once. */
export const topText = (overview: FleetOverview, options: TopOptions): string => topLines(overview, options).join('\n');
