import type { ServingStore } from '../../../domain/ports/serving.js';
import type { SqliteDeps } from '../deps.js';
import { access, recordAccess } from './access.js';
import { SqliteCanaryStore } from './canary.js';
import { SqliteConversationStore } from './conversations.js';
import { lead, shareLimit, takeOccurrence, yieldLead } from './coordination.js';
import { SqliteFleetStore } from './fleet.js';
import { jobCounts, queueStats } from './queue.js';
import { usageOf } from './usage.js';
import { countWaiting, waitingKinds, waitingNeeds } from './waiting.js';

/** What servers keep, in SQLite. */
export function createSqliteServing(deps: SqliteDeps): ServingStore {
  return {
    canary: new SqliteCanaryStore(deps),
    conversations: new SqliteConversationStore(deps),
    fleet: new SqliteFleetStore(deps),
    recordAccess: (entries) => recordAccess(deps, entries),
    access: (limit) => access(deps, limit),
    takeOccurrence: (triggerId, occurrence) => takeOccurrence(deps, triggerId, occurrence),
    lead: (name, holder, ttlMs) => lead(deps, { name, holder, ttlMs }),
    yieldLead: (name, holder) => yieldLead(deps, name, holder),
    shareLimit: (account, ask) => shareLimit(deps, account, ask),
    queueStats: () => queueStats(deps),
    waitingKinds: () => waitingKinds(deps),
    waitingNeeds: () => waitingNeeds(deps),
    countWaiting: (kind) => countWaiting(deps, kind),
    usage: (filter) => usageOf(deps, filter),
    jobCounts: () => jobCounts(deps),
  };
}
