import type { ServingStore } from '../../../domain/ports/serving.js';
import type { PostgresDeps } from '../deps.js';
import { access, recordAccess } from './access.js';
import { PostgresCanaryStore } from './canary.js';
import { PostgresConversationStore } from './conversations.js';
import { lead, shareLimit, takeOccurrence, yieldLead } from './coordination.js';
import { PostgresFleetStore } from './fleet.js';
import { jobCounts, queueStats } from './queue.js';
import { usageOf } from './usage.js';
import { countWaiting, waitingKinds, waitingNeeds } from './waiting.js';

/** What servers keep, in PostgreSQL. */
export function createPostgresServing(deps: PostgresDeps): ServingStore {
  return {
    canary: new PostgresCanaryStore(deps),
    conversations: new PostgresConversationStore(deps),
    fleet: new PostgresFleetStore(deps),
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
