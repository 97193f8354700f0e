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
import type { Tone } from '../view/lines/tone.js';
import { durationText, oneLine } from '../view/lines/words.js';
import { outageOfAgent } from '../view/outage-view.js';
import type { RunView } from '../view/run-view.js';
import { createPaint, type Paint } from './lines/paint.js';
import { type Column, type TableOptions, table } from './lines/table.js';
import { shortSpentText, topologyText } from './lines/words.js';
import { agentWords } from './live/agent-words.js';
import { between, blockedLines } from './queue-text.js';

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
export function topLines(overview: FleetOverview, options: TableOptions): readonly TopLine[] {
  const paint = createPaint(options.color);
  const look: Look = { ...options, paint };
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

interface Look extends TableOptions {
  readonly paint: Paint;
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

/** What a section of the page lists. */
interface Section<T> {
  readonly title: string;
  readonly none: string;
  readonly list: Some<T>;
  readonly columns: readonly Column<T>[];
  readonly target: (row: T) => TopTarget | null;
}

/** A title with its count, then the table, then how many rows are not shown. */
function section<T>({ title, none, list, columns, target }: Section<T>, look: Look): readonly TopLine[] {
  const { paint } = look;
  const { rows, total } = list;
  const left = total - rows.length;
  if (rows.length === 0) return [plain(`${paint('strong', title)}  ${none}`)];
  const [head = '', ...lines] = table(columns, rows, look);
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

const agoText = ({ silentMs, isAlive }: SeenMember): string =>
  `${isAlive ? '' : 'gone, '}${durationText(silentMs)} ago`;

const MEMBER_COLUMNS: readonly Column<SeenMember>[] = [
  { title: 'KIND', of: ({ kind }) => kind },
  { title: 'HOST', canShrink: true, of: ({ hostname }) => oneLine(hostname, 60) },
  { title: 'PID', align: 'right', dropFirst: 3, of: ({ pid }) => String(pid) },
  { title: 'CLASS', dropFirst: 4, of: ({ kind, jobClass }) => (kind === 'api' ? '' : jobClass) },
  { title: 'SLOTS', align: 'right', of: slotsText },
  { title: 'VERSION', dropFirst: 1, of: ({ version }) => oneLine(version, 20) },
  { title: 'ENGINE', align: 'right', dropFirst: 2, of: ({ engine }) => String(engine) },
  { title: 'LAST BEAT', of: agoText },
];

/** One that fell silent is dimmed, and says so in words. */
const memberTone = ({ isAlive }: SeenMember): Tone => (isAlive ? 'plain' : 'dim');

function memberLines(members: FleetOverview['members'], look: Look): readonly TopLine[] {
  const title = 'servers and workers';
  if (members === null)
    return [
      plain(`${look.paint('strong', title)}  ${look.paint('warn', 'their rows (storage.fleet) cannot be read')}`),
    ];
  const columns = MEMBER_COLUMNS.map((column) => ({ ...column, tone: memberTone }));
  return section({ title, none: 'none', list: members, columns, target: () => null }, look);
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

const runColumns = (members: readonly SeenMember[]): readonly Column<RunningRun>[] => [
  { title: 'RUN', of: ({ job }) => job.id, tone: 'strong' },
  { title: 'TOPOLOGY', canShrink: true, of: ({ job }) => topologyText(job) },
  { title: 'AGENT', canShrink: true, of: ({ view }) => oneLine(busyAgent(view)?.agentId ?? '', 40) },
  { title: 'DOES', canShrink: true, dropFirst: 2, of: ({ view }) => doesText(view) },
  { title: 'TIME', align: 'right', of: ({ elapsedMs }) => durationText(elapsedMs) },
  { title: 'COST', align: 'right', dropFirst: 3, of: ({ view }) => shortSpentText(view.usage) },
  { title: 'ON', canShrink: true, dropFirst: 1, of: ({ job }) => workerText(job.workerId, members) },
];

const runLines = ({ runs, members }: FleetOverview, look: Look): readonly TopLine[] =>
  section(
    {
      title: 'running',
      none: 'nothing',
      list: runs,
      columns: runColumns(members?.rows ?? []),
      target: ({ job }) => ({ key: job.id, what: job.id, run: job.id }),
    },
    look,
  );

/** What its agent is at; where it does not wait itself, what other calls of the run wait for. */
function doesText(view: RunView): string {
  const agent = busyAgent(view);
  if (agent === null) return '';
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

const WAITING_COLUMNS: readonly Column<WaitingItem>[] = [
  { title: 'WAITS FOR', canShrink: true, of: ({ role, kind }) => oneLine(role ?? kind, 40) },
  { title: 'GATE', canShrink: true, of: ({ gateId, id }) => oneLine(gateId ?? id, 80) },
  { title: 'TOPOLOGY', canShrink: true, dropFirst: 1, of: ({ topology }) => oneLine(topology, 40) },
  { title: 'RUN', dropFirst: 2, of: ({ jobId }) => jobId },
  { title: 'AGE', align: 'right', of: ({ ageMs }) => durationText(ageMs) },
];

const waitingLines = (waiting: Some<WaitingItem>, look: Look): readonly TopLine[] =>
  section(
    {
      title: 'open gates and questions',
      none: 'none',
      list: waiting,
      columns: WAITING_COLUMNS,
      target: ({ id, gateId, jobId }) => ({ key: id, what: gateId ?? jobId, run: jobId }),
    },
    look,
  );

/** The page as it is printed once. */
export const topText = (overview: FleetOverview, options: TableOptions): string =>
  topLines(overview, options)
    .map(({ text }) => text)
    .join('\n');
