import type { InboxRow } from '../../app/review/review-app.js';
import type { GateElsewhere } from '../../domain/ports/remote-waits.js';
import { filterWords } from '../lines/filter-words.js';
import type { InboxState, Sort } from './inbox-model.js';

type Picked = Pick<InboxState, 'rows' | 'filter' | 'sort'>;
type Listed = Picked & Pick<InboxState, 'elsewhere' | 'hasMore'>;

/** What people elsewhere decide, as far as the filter leaves it: below the last row of the list. */
export function shownElsewhere({
  elsewhere,
  hasMore,
  filter,
}: Omit<Listed, 'rows' | 'sort'>): readonly GateElsewhere[] {
  const words = filterWords(filter);
  return hasMore
    ? []
    : elsewhere.filter(({ jobId, topology, agent, gateUrl }) => {
        const text = [topology, agent, gateUrl].join('\n').toLowerCase();
        return words.every((word) => text.includes(word) || jobId.startsWith(word));
      });
}

/** What the cursor can stand on, by names that stay: rows, then what is decided elsewhere. */
export const placesOf = (state: Listed): readonly string[] => [
  ...shownRows(state).map(({ item }) => item.id),
  ...shownElsewhere(state).map(({ jobId, gateUrl }) => `${jobId} ${gateUrl}`),
];

export const lastPlace = (state: Listed): number =>
  Math.max(0, shownRows(state).length + shownElsewhere(state).length - 1);

/** What the cursor stands on where people elsewhere decide it; null = it is a row. */
export const elsewhereAt = (state: Listed & Pick<InboxState, 'cursor'>): GateElsewhere | null =>
  shownElsewhere(state)[state.cursor - shownRows(state).length] ?? null;

/** The rows that the filter leaves, in the order that was chosen. */
export function shownRows({ rows, filter, sort }: Picked): readonly InboxRow[] {
  const words = filterWords(filter);
  const left = words.length === 0 ? rows : rows.filter((row) => has(row, words));
  return sort === 'oldest' ? left : [...left].sort(ORDERS[sort]);
}

function has(row: InboxRow, words: readonly string[]): boolean {
  const text = searched(row).toLowerCase();
  // An id is found by its beginning: letters in the middle of one are nobody's word.
  return words.every((word) => text.includes(word) || row.asked.runId.startsWith(word) || row.item.id.startsWith(word));
}

/** Everything of a row that a person may look for. */
function searched({ item, asked }: InboxRow): string {
  return [
    item.kind,
    item.role ?? '',
    item.agentId,
    item.question ?? '',
    asked.topology.name,
    asked.input.text,
    asked.submittedBy.identity,
    asked.correlationId ?? '',
    asked.call?.name ?? '',
    ...Object.entries(asked.labels).map(([name, value]) => `${name}=${value}`),
  ].join('\n');
}

type Order = (a: InboxRow, b: InboxRow) => number;

const by =
  (keyOf: (row: InboxRow) => string): Order =>
  (a, b) =>
    keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0;

const ORDERS: Readonly<Record<Exclude<Sort, 'oldest'>, Order>> = {
  newest: (a, b) => by(({ item }) => item.createdAt)(b, a),
  topology: by(({ asked }) => asked.topology.name),
  submitter: by(({ asked }) => asked.submittedBy.identity),
};

/**
 * What two items ask alike, so that one decision can be about both: the same role of the same
 * agent, or the same call.
 */
export const askOf = ({ item, asked }: InboxRow): string =>
  JSON.stringify([item.kind, asked.topology.name, item.agentId, item.role, item.scope, asked.call?.name ?? null]);
