import { KitError } from '../../domain/errors.js';
import type { ReviewState } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import { CHAIN_START, checkLinks } from '../../govern/proof/check-chain.js';
import { checkReviews, isOfReviews } from '../../govern/proof/check-reviews.js';
import type { ProofEvent } from '../../govern/proof/proof.js';
import { toProofEvent } from '../../govern/proof/proof-event.js';
import type { ProofProblem } from '../../govern/proof/read-proof.js';
import { canonicalJson } from '../../lib/canonical-json.js';

/** Events of a page: the store's own bound. */
const PAGE = 1000;

type Looked = Pick<Stores, 'events' | 'reviews' | 'jobs'>;

/**
 * Whether the log of a run is what was hashed, and whether what people decided follows from it. A
 * run at work may be decided between two reads: what looks wrong is looked at again when it has
 * moved meanwhile. Null: nothing is wrong, or the run is gone.
 */
export async function findLogBreak(stores: Looked, job: Job): Promise<ProofProblem | null> {
  for (;;) {
    const state = await stores.reviews.state(job.id);
    const wrong = await lookOnce(stores, job, state);
    if (wrong === null) return null;
    const now = await stores.reviews.state(job.id);
    if ((await stores.jobs.get(job.id)) === null) return null;
    if (decidedIn(now) === decidedIn(state)) return wrong;
  }
}

/** What people were asked in a run and decided, as one text that differs once any of it moved. */
export const decidedIn = (state: ReviewState | null): string =>
  state === null ? '' : canonicalJson([state.gates, state.items, state.decisions]);

async function lookOnce(stores: Looked, job: Job, state: ReviewState | null): Promise<ProofProblem | null> {
  const reviews: ProofEvent[] = [];
  let end = CHAIN_START;
  for (;;) {
    const page = await stores.events.readRun(job.id, end.seq, PAGE);
    const events = page.map(toProofEvent);
    const wrong = checkLinks(events, end, job.id);
    if (wrong !== null) return wrong;
    reviews.push(...events.filter(({ event_type: type }) => isOfReviews({ type })));
    end = events.at(-1) ?? end;
    if (page.length < PAGE) break;
  }
  const { id, topology, correlationId, submittedBy } = job;
  return state === null
    ? null
    : checkReviews({ run: { id, topology, correlationId, submittedBy }, state, events: reviews });
}

/**
 * Of a run that people decided about: nothing may follow from a log or a gate that was rewritten.
 * Throws KIT_LOG_BROKEN, which names the event; the run stays as it is.
 */
export async function assertLogIntact(stores: Looked, job: Job): Promise<void> {
  const wrong = await findLogBreak(stores, job);
  if (wrong !== null) throw logBroken(job, wrong);
}

const logBroken = (job: Job, { what, message, seq }: ProofProblem): KitError =>
  new KitError('KIT_LOG_BROKEN', `the log of run ${job.id} is broken: ${message}`, {
    data: { run_id: job.id, what, seq },
  });
