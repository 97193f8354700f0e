import type { FleetMember, SeenMember } from '../domain/ports/fleet.js';
import type { QueueStats } from '../domain/ports/serving.js';
import { assertNever } from '../lib/assert-never.js';
import { clockWarning } from '../lib/clock-off.js';
import {
  busyAgent,
  type FleetOverview,
  isClaimOf,
  type RunningRun,
  type Some,
  type WaitingItem,
} from '../view/fleet-overview.js';
import { outagesText } from '../view/lines/failure-text.js';
import { durationText, oneLine } from '../view/lines/words.js';
import { outageOfAgent } from '../view/outage-view.js';
import type { AgentView, RunView } from '../view/run-view.js';
import { createPaint, type Paint } from './lines/paint.js';
import { type Cell, type Column, table } from './lines/table.js';
import { shortSpentText, topologyText } from './lines/words.js';
import { agentWords } from './live/agent-words.js';
import { between, blockedLines } from './queue-text.js';

/** How the page is shown. */
export interface TopOptions {
  readonly color: boolean;
  /** Columns of the terminal; null = no terminal, and nothing is ever cut. */
  readonly width: number | null;
}

/** What a line is about, and can be opened or stopped. */
export interface TopTarget {
  /** Of this row alone: a gate has one for each of its roles. */
  readonly key: string;
  /** Id of a run or a gate, as `kit why` takes it; of what belongs to no gate, its run. */
  readonly what: string;
  readonly run: string;
}

/** A line of the page; `target` is null for titles and for what nobody opens. */
export interface TopLine {
  readonly text: string;
  readonly target: TopTarget | null;
}

const plain = (text: string): TopLine => ({ text, target: null });
const GAP = plain('');

/** The whole page, a line each: the queue, who works, what runs, what people have to decide. */
export function topLines(overview: FleetOverview, options: TopOptions): readonly TopLine[] {
  const paint = createPaint(options.color);
  const look: Look = { paint, width: options.width };
  const clock = clockWarning(overview.storeAheadMs);
  return [
    ...(clock === null ? [] : [plain(paint('warn', clock)), GAP]),
    ...queueLines(overview.queue, paint).map(plain),
    GAP,
    ...memberLines(overview.members, look),
    GAP,
    ...runLines(overview, look),
    GAP,
    ...waitingLines(overview.waiting, look),
  ];
}

interface Look {
  readonly paint: Paint;
  readonly width: number | null;
}

function queueLines(queue: QueueStats, paint: Paint): readonly string[] {
  const oldest = queue.oldestQueuedAgeMs === null ? '' : `, the oldest for ${durationText(queue.oldestQueuedAgeMs)}`;
  const [most] = Object.entries(queue.depthByTopology).toSorted(([, a], [, b]) => b - a);
  const of = most === undefined ? '' : `, ${most[1]} of them ${oneLine(most[0], 40)}`;
  return [
    `${paint('strong', 'queue')}  ${queue.queued} waiting${oldest}${of} · ${queue.running} running`,
    paint(
      'dim',
      `       wait ${between(queue.queueWaitP50Ms, queue.queueWaitP95Ms)} · execution ${between(queue.executionP50Ms, queue.executionP95Ms)}`,
    ),
    ...blockedLines(queue.blocked).map((line) => paint('warn', `  ${line}`)),
  ];
}

/** What a section of the page lists, and how a row is written. */
interface Section<T> {
  readonly title: string;
  readonly none: string;
  readonly list: Some<T>;
  readonly columns: readonly Column[];
  readonly cells: (row: T) => readonly Cell[];
  readonly target: (row: T) => TopTarget | null;
}

/** A title with its count, then the table, then how many rows are not shown. */
function section<T>({ title, none, list, columns, cells, target }: Section<T>, look: Look): readonly TopLine[] {
  const { paint } = look;
  const { rows, total } = list;
  const left = total - rows.length;
  if (rows.length === 0) return [plain(`${paint('strong', title)}  ${none}`)];
  const [head = '', ...lines] = table(columns, rows.map(cells), look);
  return [
    plain(`${paint('strong', title)}  ${total}`),
    plain(head),
    ...lines.map((text, index): TopLine => {
      const row = rows[index];
      return { text, target: row === undefined ? null : target(row) };
    }),
    ...(left > 0 ? [plain(paint('dim', `  and ${left} more`))] : []),
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

function memberLines(members: FleetOverview['members'], look: Look): readonly TopLine[] {
  const title = 'servers and workers';
  if (members === null)
    return [
      plain(`${look.paint('strong', title)}  ${look.paint('warn', 'their rows (storage.fleet) cannot be read')}`),
    ];
  return section(
    { title, none: 'none', list: members, columns: MEMBER_COLUMNS, cells: memberCells, target: () => null },
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

const runLines = ({ runs, members }: FleetOverview, look: Look): readonly TopLine[] =>
  section(
    {
      title: 'running',
      none: 'nothing',
      list: runs,
      columns: RUN_COLUMNS,
      cells: (run) => runCells(run, members?.rows ?? []),
      target: ({ job }) => ({ key: job.id, what: job.id, run: job.id }),
    },
    look,
  );

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

function waitingLines(waiting: Some<WaitingItem>, look: Look): readonly TopLine[] {
  const cells = (item: WaitingItem): readonly Cell[] => [
    { text: oneLine(item.role ?? item.kind, 40) },
    { text: oneLine(item.gateId ?? item.id, 80) },
    { text: oneLine(item.topology, 40) },
    { text: item.jobId },
    { text: durationText(item.ageMs) },
  ];
  return section(
    {
      title: 'open gates and questions',
      none: 'none',
      list: waiting,
      columns: WAITING_COLUMNS,
      cells,
      target: ({ id, gateId, jobId }) => ({ key: id, what: gateId ?? jobId, run: jobId }),
    },
    look,
  );
}

/** The page as it is printed once. */
export const topText = (overview: FleetOverview, options: TopOptions): string =>
  topLines(overview, options)
    .map(({ text }) => text)
    .join('\n');
