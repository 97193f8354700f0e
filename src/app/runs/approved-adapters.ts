import type { JobOffers } from '../../domain/job-needs.js';
import type { Clock } from '../../domain/ports/system.js';
import { handedVariables, specOf, untrustedAdapters } from '../submit/adapter-trust.js';
import type { RunSession } from './run-session.js';

/** An approval that a person gives, or takes back, holds for claims after this. */
const ASKED_EVERY_MS = 1_000;

/** The adapters that a process offers for claims: id -> digest of the spec. */
export interface ApprovedAdapters {
  /** As they were less than a second ago. */
  recent(): Promise<JobOffers['adapters']>;
  /** As they are; `recent` goes by them from now on. */
  anew(): Promise<JobOffers['adapters']>;
}

/**
 * What a server or worker offers: of the adapters only those that its user has approved on its
 * machine, so that it never claims a run which it would have to refuse. Such a run waits for a
 * process that may start it, and the statistics of the queue say what is missing.
 */
export function approvedAdapters(
  session: Pick<RunSession, 'workspace' | 'trust'>,
  of: { readonly adapters: JobOffers['adapters']; readonly clock: Pick<Clock, 'now'> },
): ApprovedAdapters {
  const { adapters, clock } = of;
  const variables = handedVariables(session.workspace);
  const started = [...session.workspace.adapters].map(
    ([id, artifact]) => [id, { spec: specOf(artifact), env: variables.get(id) ?? [] }] as const,
  );
  // However a clock was set: an answer that may be old is none.
  let asked: { readonly atMs: number; readonly answer: Promise<JobOffers['adapters']> } | null = null;
  const ask = async (): Promise<JobOffers['adapters']> => {
    const refused = await untrustedAdapters(session.trust, {
      workspace: session.workspace,
      adapters: Object.fromEntries(started),
    });
    const ids = new Set(refused.map(({ id }) => id));
    return Object.fromEntries(Object.entries(adapters).filter(([id]) => !ids.has(id)));
  };
  const anew = (): Promise<JobOffers['adapters']> => {
    asked = { atMs: clock.now(), answer: ask() };
    return asked.answer;
  };
  return {
    anew,
    recent: () => (asked === null || Math.abs(clock.now() - asked.atMs) >= ASKED_EVERY_MS ? anew() : asked.answer),
  };
}
