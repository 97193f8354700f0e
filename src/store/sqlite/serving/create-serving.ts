import type { ServingStore } from '../../../domain/ports/serving.js';
import { SQLITE_DIALECT } from '../../program.js';
import { createAccessLog } from '../../serving/access-log.js';
import { createCanaryStore } from '../../serving/canary-store.js';
import { createConversationStore } from '../../serving/conversation-store.js';
import type { SqliteDeps } from '../deps.js';
import { sqlitePrograms } from '../programs.js';
import { lead, shareLimit, takeOccurrence, yieldLead } from './coordination.js';
import { SqliteFleetStore } from './fleet.js';
import { jobCounts, queueStats } from './queue.js';
import { usageOf } from './usage.js';
import { countWaiting, waitingKinds, waitingNeeds } from './waiting.js';

/** What servers keep, in SQLite. */
export function createSqliteServing(deps: SqliteDeps): ServingStore {
  const programs = sqlitePrograms(deps);
  return {
    canary: createCanaryStore(programs),
    conversations: createConversationStore(programs, SQLITE_DIALECT),
    fleet: new SqliteFleetStore(deps),
    ...createAccessLog(programs),
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
