import type { ServingStore } from '../domain/ports/serving.js';

/**
 * What servers keep, its code loaded when it is first asked for: a run has no use for it, and every
 * module costs time at each start.
 */
export function lazyServing(load: () => Promise<ServingStore>): ServingStore {
  let loading: Promise<ServingStore> | undefined;
  const store = (): Promise<ServingStore> => (loading ??= load());
  return {
    canary: {
      state: async (routeKey) => (await store()).canary.state(routeKey),
      record: async (routeKey, result) => (await store()).canary.record(routeKey, result),
      override: async (routeKey, promotion, expected) => (await store()).canary.override(routeKey, promotion, expected),
      promotions: async (topology, limit) => (await store()).canary.promotions(topology, limit),
    },
    conversations: {
      create: async (conversation) => (await store()).conversations.create(conversation),
      get: async (idOrPrefix, of) => (await store()).conversations.get(idOrPrefix, of),
      list: async (limit, of) => (await store()).conversations.list(limit, of),
      begin: async (id, turn) => (await store()).conversations.begin(id, turn),
      giveBack: async (jobId) => (await store()).conversations.giveBack(jobId),
    },
    fleet: {
      beat: async (member, forgetMs) => (await store()).fleet.beat(member, forgetMs),
      leave: async (id) => (await store()).fleet.leave(id),
      list: async (aliveMs) => (await store()).fleet.list(aliveMs),
    },
    recordAccess: async (entries) => (await store()).recordAccess(entries),
    access: async (limit) => (await store()).access(limit),
    takeOccurrence: async (triggerId, occurrence) => (await store()).takeOccurrence(triggerId, occurrence),
    lead: async (name, holder, ttlMs) => (await store()).lead(name, holder, ttlMs),
    yieldLead: async (name, holder) => (await store()).yieldLead(name, holder),
    shareLimit: async (account, ask) => (await store()).shareLimit(account, ask),
    queueStats: async () => (await store()).queueStats(),
    waitingKinds: async () => (await store()).waitingKinds(),
    waitingNeeds: async () => (await store()).waitingNeeds(),
    countWaiting: async (kind) => (await store()).countWaiting(kind),
    usage: async (filter) => (await store()).usage(filter),
    jobCounts: async () => (await store()).jobCounts(),
  };
}
