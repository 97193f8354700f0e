import type { StoredEvent } from '../../domain/events.js';
import type { EventLog } from '../../domain/ports/event-log.js';
import {
  COMPREHENSION_TYPES,
  type ComprehensionView,
  NO_APPROVALS,
  OPENING_TYPES,
  reduceComprehension,
  roundOf,
} from '../../view/comprehension.js';

/** Events of one look at the log. */
const PAGE = 1000;

/** Which approvals to read: at `since` or later, and of these the newest. */
interface Window {
  /** ISO 8601, as the log writes it. */
  readonly since: string;
  readonly keep: number;
}

/**
 * Approvals with the openings of their rounds, however long the log is: it is read back to the
 * oldest that is asked for, and a round that was opened before that is looked up in its run.
 */
export async function readApprovals(
  log: Pick<EventLog, 'lookBack' | 'read'>,
  { since, keep }: Window,
): Promise<ComprehensionView> {
  const approvals = new Map<string, StoredEvent>();
  const openings = new Map<string, StoredEvent>();
  const msLeft = (): number => Number.POSITIVE_INFINITY;
  let before: string | null | undefined;
  while (before !== null) {
    const at = before === undefined ? {} : { before };
    const part = await log.lookBack({ types: COMPREHENSION_TYPES, limit: PAGE, msLeft, ...at });
    for (const event of part.events) {
      const round = roundOf(event);
      if (round?.kind === 'opened') openings.set(round.key, event);
      if (round?.kind === 'approved' && event.timestamp >= since && approvals.size < keep)
        approvals.set(round.key, event);
    }
    const isOlder = (part.events.at(-1)?.timestamp ?? '') < since;
    before = approvals.size === keep || isOlder ? null : part.before;
  }
  for (const jobId of runsOf(approvals, openings))
    for (const event of await openingsOf(log, jobId)) openings.set(roundOf(event)?.key ?? '', event);
  return [...approvals]
    .flatMap(([key, approval]) => [openings.get(key), approval])
    .filter((event) => event !== undefined)
    .sort((a, b) => a.pos - b.pos)
    .reduce((view, event) => reduceComprehension(view, event, keep), NO_APPROVALS);
}

/** Runs of approvals whose opening was not met on the way back. */
const runsOf = (
  approvals: ReadonlyMap<string, StoredEvent>,
  openings: ReadonlyMap<string, StoredEvent>,
): ReadonlySet<string> => new Set([...approvals].flatMap(([key, { jobId }]) => (openings.has(key) ? [] : [jobId])));

/** The newest first, so that of a round the first announcement stays. */
const openingsOf = async (log: Pick<EventLog, 'read'>, jobId: string): Promise<readonly StoredEvent[]> =>
  (await log.read({ jobId, types: OPENING_TYPES, limit: PAGE })).events.toReversed();
