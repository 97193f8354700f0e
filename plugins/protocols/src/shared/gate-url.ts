import { type Job, linksBelow, type ReviewApp } from '@kit-run/kit/command';
import { mayWaitForPeople, type Rests } from './people-elsewhere.js';

/** Where a run is looked for, and where its server is reached. */
export interface RunPlace {
  /** Absolute directory. */
  readonly workspace: string;
  readonly rests: Rests;
  /** Absolute URL; null = no server of this kit is known. */
  readonly base: string | null;
}

/**
 * Where people see what a parked run waits for, a run that it has asked for included: its oldest
 * open gate, else its oldest open question, else what an agent elsewhere has named: whoever asks
 * this kit is led to the people, however many kits lie between. Null: it waits for nobody. The
 * address tells where, and nobody decides by asking for it.
 */
export async function gateUrlOf(
  review: Pick<ReviewApp, 'why'>,
  job: Job,
  { workspace, rests, base }: RunPlace,
): Promise<string | null> {
  if (!mayWaitForPeople(job, rests)) return null;
  const { gates, items, gateElsewhere = null } = await review.why({ workspace, what: job.id });
  const links = base === null ? null : linksBelow(base);
  const gate = gates.find(({ status }) => status === 'pending');
  if (gate !== undefined) return links?.gate(gate.gateId) ?? null;
  const [item] = items;
  return item === undefined ? gateElsewhere : (links?.item(item.id) ?? null);
}
