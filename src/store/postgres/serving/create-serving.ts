import type { ServingStore } from '../../../domain/ports/serving.js';
import { POSTGRES_DIALECT } from '../../program.js';
import { createAccessLog } from '../../serving/access-log.js';
import { createCanaryStore } from '../../serving/canary-store.js';
import { createConversationStore } from '../../serving/conversation-store.js';
import type { PostgresDeps } from '../deps.js';
import { postgresPrograms } from '../programs.js';
import { lead, shareLimit, takeOccurrence, yieldLead } from './coordination.js';
import { PostgresFleetStore } from './fleet.js';
import { jobCounts, queueStats } from './queue.js';
import { usageOf } from './usage.js';
import { countWaiting, waitingKinds, waitingNeeds } from './waiting.js';

/** What servers keep, in PostgreSQL. */
export function createPostgresServing(deps: PostgresDeps): ServingStore {
  const programs = postgresPrograms(deps);
  return {
    canary: createCanaryStore(programs),
    conversations: createConversationStore(programs, POSTGRES_DIALECT),
    fleet: new PostgresFleetStore(deps),
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
