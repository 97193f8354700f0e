import type { ResolvedItem } from '../app/review/decision.js';
import type { ItemDetails, ListedPage } from '../app/review/review-app.js';
import type { ReviewItem } from '../domain/gates.js';
import { isWaiting, type Job } from '../domain/job.js';
import { isServerPlace, placeWord, shellWord } from '../lib/shell-word.js';
import type { ReviewRequest } from '../view/asked.js';
import { elsewhereText } from '../view/lines/failure-text.js';
import { withdrawnText } from '../view/lines/withdrawn-text.js';
import { ageText, countText, manyLines, oneLine } from '../view/lines/words.js';
import { gateText, gateTone, type ReviewTextOptions, roundText } from './gate-text.js';
import { artifactCommand, besideOptions, settlingVerb, workspaceWord } from './lines/gate-actions.js';
import { createPaint, type Paint } from './lines/paint.js';
import { type Column, table } from './lines/table.js';
import { jobTone } from './lines/words.js';
import { artifactLines } from './review/artifact-lines.js';
import { askedLines } from './review/asked-lines.js';
import { detailLines } from './review/detail-lines.js';
import { whyNotLines } from './review/why-not-lines.js';

/** Who goes on with a run after a decision. */
export interface RunAfterDecision {
  readonly job: Job;
  /** `here`: this process went on with it. */
  readonly resumed: 'here' | 'left';
  /** Why it was left; null when it went on here. */
  readonly why: string | null;
}

interface ListedItem {
  readonly item: ReviewItem;
  readonly asked: ReviewRequest | undefined;
}

/** What tells items apart: the topology and the first words of the input. */
const requestText = ({ topology, input }: ReviewRequest): string =>
  `${oneLine(topology.name, 40)}: ${oneLine(input.text, 60)}`;

const youText = ({ you }: ReviewRequest): string => (you === null ? '' : you.canDecide ? 'can decide' : 'cannot');

/** Ids are never cut: people paste them. */
const columnsOf = (all: boolean): readonly Column<ListedItem>[] => [
  { title: 'ITEM', of: ({ item }) => oneLine(item.id, 400), tone: 'strong' },
  {
    title: 'STATUS',
    // All that is listed waits, unless everything is.
    ...(all ? {} : { dropFirst: 3 }),
    of: ({ item }) => statusText(item),
    tone: ({ item }) => gateTone(item.status),
  },
  { title: 'KIND', dropFirst: 1, of: ({ item }) => item.kind },
  { title: 'FOR', canShrink: true, dropFirst: 8, of: ({ item }) => purposeOf(item) },
  { title: 'ASKED', canShrink: true, dropFirst: 7, of: ({ asked }) => (asked === undefined ? '' : requestText(asked)) },
  { title: 'FROM', canShrink: true, dropFirst: 4, of: ({ asked }) => oneLine(asked?.submittedBy.identity ?? '', 40) },
  { title: 'AGE', align: 'right', dropFirst: 5, of: ({ asked }) => (asked === undefined ? '' : ageText(asked.ageMs)) },
  { title: 'YOU', ...(all ? { dropFirst: 6 } : {}), of: ({ asked }) => (asked === undefined ? '' : youText(asked)) },
  { title: 'BY', canShrink: true, dropFirst: 2, of: ({ item }) => oneLine(item.resolvedBy, 80) },
];

function emptyText({ all, mine = false }: { readonly all: boolean; readonly mine?: boolean }): string {
  if (all) return 'there is no review item';
  return mine ? 'nothing waits for you; kit review list shows what waits for anybody' : 'nothing waits for a decision';
}

/** One line an item, in the order given; below them what people elsewhere decide. */
export function itemsText(
  page: ListedPage,
  options: ReviewTextOptions & { readonly all: boolean; readonly mine?: boolean },
): string {
  const elsewhere = page.elsewhere.map(elsewhereText);
  if (page.items.length === 0) return [emptyText(options), ...elsewhere].join('\n');
  const paint = createPaint(options.color);
  const rows = page.items.map((item) => ({ item, asked: page.asked.get(item.id) }));
  const lines = table(columnsOf(options.all), rows, options);
  const hidden = page.total - page.items.length;
  return [
    ...lines,
    ...(page.hasMore ? [paint('dim', `${countText(hidden, 'item')} more; --limit shows more at once`)] : []),
    ...whyNotLines(page, paint),
    ...elsewhere,
  ].join('\n');
}

/** One item with what is decided about and its gate; `isWhole`: all of the artifact. */
export function itemText(
  { item, gate, job, asked, artifact }: ItemDetails,
  { isWhole = false, ...options }: ReviewTextOptions & { readonly isWhole?: boolean },
): string {
  const paint = createPaint(options.color);
  const question =
    item.question === null
      ? []
      : [
          '',
          ...manyLines(item.question).split('\n'),
          ...item.options.map((option, at) => `  ${at}  ${oneLine(option, 300)}`),
        ];
  const answered = item.answer === null ? [] : [`answer: ${oneLine(item.answer, 600)}`];
  const resolved =
    item.status === 'pending'
      ? []
      : [`${item.status}${byText(item.resolvedBy)}${item.comment === '' ? '' : `: ${oneLine(item.comment, 600)}`}`];
  const withdrawn = withdrawnText(item, job, gate?.resolutions ?? []);
  const lines = [
    `${paint('strong', oneLine(item.id, 400))}  ${paint(gateTone(item.status), statusText(item))}`,
    ...(asked === null
      ? []
      : [...askedLines(asked, { more: wholeCommand(item, options), hasGate: gate !== null }, paint), '']),
    `  ${item.kind} of agent ${oneLine(item.agentId, 80)}${item.skillId === null ? '' : `, skill ${oneLine(item.skillId, 80)}`}, run ${job.id} of ${oneLine(item.topologyId, 80)}`,
    `  ${oneLine(item.reason, 600)}`,
    // Of a call they stand above.
    ...(asked === null || asked.call === null ? detailLines(item.details).map((line) => `  ${line}`) : []),
    ...[...question, ...answered, ...resolved, ...(withdrawn === null ? [] : [oneLine(withdrawn, 600)])].map((line) =>
      line === '' ? '' : `  ${line}`,
    ),
    ...(artifact === null
      ? []
      : ['', ...artifactLines(artifact, { isWhole, more: artifactCommand(artifact.ref, options), paint })]),
    ...(gate === null ? nextLines(item, options, paint) : ['', gateText(gate, options)]),
  ];
  return lines.join('\n');
}

const wholeCommand = (item: ReviewItem, options: ReviewTextOptions): string =>
  `kit review show ${shellWord(oneLine(item.id, 400))}${workspaceWord(options)} --full`;

/** Answers in a store of before name nobody. */
const byText = (by: string): string => (by === '' ? '' : ` by ${oneLine(by, 80)}`);

/** What a decision came to. */
export function resolvedText(
  { item, gate, unchanged, reopened, proposed }: ResolvedItem,
  options: ReviewTextOptions,
): string {
  const paint = createPaint(options.color);
  // The task that this very decision completed may be the one that opened again: it waits, and its
  // last decision no longer counts.
  const own =
    item.status === 'pending' ? gate?.resolutions.findLast((resolution) => resolution.itemId === item.id) : undefined;
  const { status, resolvedBy: by } = own ?? item;
  const answer = item.answer === null ? '' : `: ${oneLine(item.answer, 300)}`;
  const role = item.role === null ? '' : ` for ${oneLine(item.role, 80)} (${oneLine(item.scope ?? '', 80)})`;
  const head = unchanged
    ? `${oneLine(item.id, 400)} was ${status}${byText(by)} already; nothing changed`
    : `${oneLine(item.id, 400)} is ${paint(gateTone(status), status)}${byText(by)}${role}${answer}`;
  const again =
    reopened === null
      ? []
      : [`too few people signed: ${oneLine(reopened, 400)} is open again, for somebody who has not signed this round`];
  const newest = unchanged && item.stale ? gate?.items.find((one) => isOpenAgain(one, item)) : undefined;
  const later =
    newest === undefined
      ? []
      : [`it counts no more: round ${newest.round} is open, and its task is ${oneLine(newest.id, 400)}`];
  const rule = proposed.length === 0 ? [] : [`a rule is proposed: kit trust list${workspaceWord(options)}`];
  return [head, ...again, ...later, ...rule, ...(gate === null ? [] : ['', gateText(gate, options)])].join('\n');
}

/** The task of a newer round that asks the same of the same role. */
const isOpenAgain = (newer: ReviewItem, { ruleIndex, role }: ReviewItem): boolean =>
  newer.status === 'pending' && !newer.stale && newer.role === role && newer.ruleIndex === ruleIndex;

/** The run after a decision. */
export function runAfterText({ job, resumed, why }: RunAfterDecision, options: ReviewTextOptions): string {
  const paint = createPaint(options.color);
  const status = `run ${job.id} is ${paint(jobTone(job.status), job.status)}`;
  const error = job.error === null ? '' : `: ${oneLine(job.error, 600)}`;
  if (resumed === 'here')
    return [`${status}${error}`, ...nextOf(job, options, paint), ...homeOf(job, options)].join('\n');
  const reason = why === null ? '' : `; ${oneLine(why, 400)}`;
  // Nobody goes on with a replay.
  if (job.needs.cassette !== undefined) return `${status}${reason}`;
  // Somebody else was quicker.
  if (job.status === 'completed')
    return [`${status}${reason}`, ...nextOf(job, options, paint), ...homeOf(job, options)].join('\n');
  // A server goes on by itself.
  const isAtServer = isServerPlace(options.workspaceArgument);
  if (job.status === 'running' || (isWaiting(job.status) && isAtServer)) {
    const place = isAtServer ? placeWord(options.workspaceArgument, ' --server ') : workspaceWord(options);
    return `${status}${reason}\n${paint('dim', 'its answer:')} kit wait ${job.id}${place}`;
  }
  if ((!isWaiting(job.status) && job.status !== 'deferred') || isAtServer) return `${status}${reason}`;
  const line = `kit run${workspaceWord(options)} ${shellWord(oneLine(job.topology, 80))} --resume=${job.id}`;
  return job.status === 'deferred'
    ? `${status}${reason}`
    : `${status}${reason}\n${paint('dim', 'go on here:')} ${line}`;
}

/** Lines of an answer that are shown. */
const ANSWER_LINES = 8;

/** What a run that went on here came to, and where to look. */
function nextOf(job: Job, options: ReviewTextOptions, paint: Paint): readonly string[] {
  const workspace = workspaceWord(options);
  if (job.status === 'deferred') return [`${paint('dim', 'look:')} kit why ${job.id}${workspace}`];
  const look = `${paint('dim', 'look:')} kit trace ${job.id}${workspace}`;
  if (job.status !== 'completed') return [];
  if (job.output === null) return [look];
  const lines = manyLines(job.output.slice(0, 2_000)).trimEnd().split('\n');
  const rest = lines.length > ANSWER_LINES || job.output.length > 2_000 ? ['  ...'] : [];
  return [...lines.slice(0, ANSWER_LINES).map((line) => `  ${line}`), ...rest, look];
}

/** How what harnesses changed comes home. */
function homeOf(job: RunAfterDecision['job'], options: ReviewTextOptions): readonly string[] {
  if (job.status !== 'completed' || (job.diffLength ?? 0) === 0) return [];
  const workspace = placeWord(options.workspaceArgument, ' -w ');
  return ['diff', 'apply'].map((verb) => `kit ${verb} ${job.id}${workspace}`);
}

function statusText(item: ReviewItem): string {
  const marks = [
    ...(item.escalated ? ['escalated'] : []),
    ...(item.stale ? ['stale'] : []),
    ...(item.withdrawn ? ['withdrawn'] : []),
  ];
  return [item.status, ...marks].join(', ');
}

/** What the item is for, in the fewest words. */
const purposeOf = (item: ReviewItem): string =>
  item.role === null
    ? oneLine(item.question ?? item.reason, 200)
    : `${oneLine(item.role, 80)} (${oneLine(item.scope ?? '', 80)})${roundText(item.round)}`;

function nextLines(item: ReviewItem, options: ReviewTextOptions, paint: Paint): readonly string[] {
  if (item.status !== 'pending' || item.withdrawn || item.stale) return [];
  const verb = settlingVerb(item);
  const line = (word: string): string =>
    `  ${paint('dim', `${word}:`)} kit review ${word} ${shellWord(oneLine(item.id, 400))}${word === 'answer' ? ' TEXT' : ''}${workspaceWord(options)}`;
  const own = verb === 'answer' ? besideOptions(item) : [];
  return ['', line(verb), ...own.map((one) => paint('dim', `  ${one}`)), line('reject')];
}
