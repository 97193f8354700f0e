import type { JobOffers } from '../../domain/job.js';
import type { JsonObject } from '../../domain/json.js';
import type { Clock } from '../../domain/ports/system.js';
import type { RunSession } from '../runs/run-session.js';
import { untrustedAdapters } from '../submit/adapter-trust.js';

/** An approval that a person gives, or takes back, holds for claims after this. */
const ASKED_EVERY_MS = 1_000;

/**
 * What a worker offers: of the adapters only those that its user has approved on its machine, so that it never claims a run which it would have
 * to refuse. Such a run waits for a worker that may start it, and the statistics of the queue say what is missing.
 */
export function approvedOffers(
  session: RunSession,
  of: { readonly offers: JobOffers; readonly clock: Pick<Clock, 'now'> },
): () => Promise<JobOffers> {
  const { offers, clock } = of;
  const specs = [...session.workspace.adapters].map(([id, { raw }]) => {
    // An adapter's spec is plain JSON by its schema.
    const spec = raw.spec as unknown as JsonObject;
    return [id, { spec, digest: offers.adapters[id] ?? '', source: 'workspace' }] as const;
  });
  let asked: { readonly atMs: number; readonly answer: Promise<JobOffers> } | null = null;
  const ask = async (): Promise<JobOffers> => {
    const refused = await untrustedAdapters(session.trust, { workspace: session.workspace, adapters: Object.fromEntries(specs) });
    const ids = new Set(refused.map(({ id }) => id));
    return { ...offers, adapters: Object.fromEntries(Object.entries(offers.adapters).filter(([id]) => !ids.has(id))) };
  };
  return () => {
    const nowMs = clock.now();
    if (asked === null || nowMs - asked.atMs >= ASKED_EVERY_MS) asked = { atMs: nowMs, answer: ask() };
    return asked.answer;
  };
}
