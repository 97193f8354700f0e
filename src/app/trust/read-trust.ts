import type { StoredEvent } from '../../domain/events.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock, Ids } from '../../domain/ports/system.js';
import { foldTrust, isTrustEvent, TRUST_TYPES, type TrustRow, trustId } from '../../govern/harness/accrual.js';
import { entryEvent } from '../entry-events.js';

const PAGE = 1000;

/** The counters of a store, by id: what its log says of them, from the beginning. */
export async function readTrust({ events: log }: Pick<Stores, 'events'>): Promise<ReadonlyMap<string, TrustRow>> {
  let rows: ReadonlyMap<string, TrustRow> = new Map();
  for (let after = ''; ; ) {
    const page = await log.read({ types: TRUST_TYPES, limit: PAGE, ...(after === '' ? {} : { after }) });
    for (const event of page.events) if (isTrustEvent(event)) rows = foldTrust(rows, event);
    if (!page.hasMore) return rows;
    after = page.nextCursor;
  }
}

export interface TrustDeps {
  readonly stores: Pick<Stores, 'events'>;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly clock: Clock;
}

/**
 * Writes an event for each proposal that these decisions have brought about, once, and returns
 * their ids as `kit trust list` shows them. A process that dies before the event loses nothing:
 * `kit trust list` shows the proposal, and the next approval writes the event.
 */
export async function proposeTrust(deps: TrustDeps, decided: readonly StoredEvent[]): Promise<readonly string[]> {
  const rows = await readTrust(deps.stores);
  const proposed = new Set<string>();
  for (const event of decided) {
    const row = event.type === 'trust.counted' ? rows.get(trustId(event.payload)) : undefined;
    if (row === undefined || row.state !== 'proposed' || row.isReported || proposed.has(row.id)) continue;
    proposed.add(row.id);
    const { archetype, kind, match, threshold, approvals } = row;
    const payload = { archetype, kind, match, threshold, approvals };
    await deps.stores.events.append(
      entryEvent(deps, { type: 'trust.changeset_proposed', topology: event.topologyId, payload }),
      event.labels,
      event.correlationId,
    );
  }
  return [...proposed];
}
