import { approversOf } from '../../domain/approvers.js';
import type { GateRound, ReviewItem, ReviewState, RoleDirectory } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';
import type { Stores } from '../../domain/ports/stores.js';
import { answerItem } from '../../govern/approval/answer-item.js';
import { newerThan, resolveItem } from '../../govern/approval/resolve-item.js';
import { isOpen } from '../../govern/approval/rules.js';
import { askedOf, INPUT_IN_LIST, INPUT_OF_ITEM, type ReviewRequest, type You } from '../../view/asked.js';
import { RunFold } from '../../view/run-fold.js';
import { EMPTY_TRACE, type RunView } from '../../view/run-view.js';
import { decodeSnapshot } from '../../worker/snapshot.js';
import { followRun } from '../follow-run.js';
import { usageSoFar } from '../jobs/so-far.js';
import type { Viewer } from './decision.js';
import { whyUnreadable } from './why-unreadable.js';

/** What telling people what is asked needs of the world. */
export interface AskingDeps {
  readonly stores: Stores;
  readonly roles: RoleDirectory;
  /** Why nobody can decide: a role file has an error; null = the registry is whole. */
  readonly broken: string | null;
  readonly mask: (text: string) => string;
}

/** One thing that is asked. */
export interface AskedThing {
  readonly state: ReviewState;
  /** Null: a gate as a whole. */
  readonly item: ReviewItem | null;
  readonly round: GateRound | null;
}

/**
 * Makes views of what is asked, for one answer of an entry point: what several items share (their
 * run, what their topology says of itself) is read once.
 */
export class Asking {
  readonly #deps: AskingDeps;
  readonly #viewer: Viewer | null;
  readonly #jobs = new Map<string, Promise<Job | null>>();
  readonly #descriptions = new Map<string, Promise<string | null>>();

  constructor(deps: AskingDeps, viewer: Viewer | null) {
    this.#deps = deps;
    this.#viewer = viewer;
  }

  /** For a list: without what led there, and the input's beginning. Null: its run is gone. */
  async inList(thing: AskedThing): Promise<ReviewRequest | null> {
    return this.#asked(thing, { run: null, unreadable: null, maxInputChars: INPUT_IN_LIST });
  }

  /** For one item or gate. `isWhole`: the whole input, however long it is. */
  async whole(thing: AskedThing, { isWhole = false } = {}): Promise<ReviewRequest | null> {
    const { stores } = this.#deps;
    const { state, item, round } = thing;
    const about = item ?? (round === null ? null : { gateId: round.gateId, round: round.round, status: round.status });
    const [run, unreadable] = await Promise.all([
      foldedRun(stores, state.job.id),
      about === null ? null : whyUnreadable(stores, about),
    ]);
    return this.#asked(thing, { run, unreadable, maxInputChars: isWhole ? Number.POSITIVE_INFINITY : INPUT_OF_ITEM });
  }

  async #asked(
    { state, item, round }: AskedThing,
    how: { readonly run: RunView | null; readonly unreadable: string | null; readonly maxInputChars: number },
  ): Promise<ReviewRequest | null> {
    const job = await this.#job(state.job.id);
    if (job === null) return null;
    const { mask } = this.#deps;
    const { run, unreadable, maxInputChars } = how;
    return askedOf({
      job,
      description: await this.#description(job),
      item,
      round,
      decisions: state.decisions,
      run,
      you: this.#you({ state, item, round }, unreadable),
      now: state.now,
      mask,
      maxInputChars,
    });
  }

  /** A gate as a whole can be decided by who can decide one of its tasks. */
  #you({ state, item, round }: AskedThing, unreadable: string | null): You | null {
    const viewer = this.#viewer;
    if (viewer === null) return null;
    const items =
      item !== null
        ? [item]
        : state.items.filter((one) => round !== null && one.gateId === round.gateId && one.round === round.round);
    const reasons = items.map((one) => this.#whyNot({ state, item: one, viewer, unreadable }));
    if (reasons.includes(null)) return { canDecide: true, whyNot: null };
    const open = items.findIndex(isOpen);
    // Of a gate that is over nobody is told what they are not a member of.
    const isOver = open < 0 && item === null && round !== null;
    const whyNot = isOver ? overText(round) : reasons[Math.max(0, open)];
    return { canDecide: false, whyNot: whyNot ?? 'there is nothing to decide' };
  }

  #whyNot(of: {
    readonly state: ReviewState;
    readonly item: ReviewItem;
    readonly viewer: Viewer;
    readonly unreadable: string | null;
  }): string | null {
    const { roles, broken } = this.#deps;
    const { viewer, item, state } = of;
    if (viewer.refused != null) return viewer.refused;
    if (broken !== null && (item.kind === 'role_task' || approversOf(item).length > 0)) return broken;
    const why = whyRefused({ ...of, roles });
    const newer = newerThan(state, item);
    return why === null || newer === null ? why : `${why}; the open task is ${newer}`;
  }

  #job(id: string): Promise<Job | null> {
    const { stores } = this.#deps;
    const reading =
      this.#jobs.get(id) ??
      stores.jobs.get(id).then(async (job) => (job === null ? null : { ...job, usage: await usageSoFar(stores, job) }));
    this.#jobs.set(id, reading);
    return reading;
  }

  #description(job: Job): Promise<string | null> {
    const reading = this.#descriptions.get(job.snapshot) ?? readDescription(this.#deps.stores, job);
    this.#descriptions.set(job.snapshot, reading);
    return reading;
  }
}

/** Null: the gate waits, and no task of it is open. */
function overText({ status, withdrawn }: GateRound): string | null {
  if (status !== 'pending') return `it is ${status} already`;
  return withdrawn ? 'it was withdrawn' : null;
}

/**
 * What the engine itself would refuse a decision with; nothing of its answer is kept. Null: it
 * would take one.
 */
export function whyRefused(of: {
  readonly state: ReviewState;
  readonly item: ReviewItem;
  readonly viewer: Pick<Viewer, 'identity' | 'auth'>;
  readonly roles: RoleDirectory;
  /** Why nobody can see what it is about; null or absent: they can, or it was not looked at. */
  readonly unreadable?: string | null;
}): string | null {
  const { state, item, viewer, roles, unreadable = null } = of;
  const { identity, auth } = viewer;
  const asked = { itemId: item.id, identity, comment: '', roles, newId: () => '' };
  if (item.kind !== 'role_task') {
    // A rejection fits each kind of item.
    const { result } = answerItem(state, { ...asked, action: 'reject', answer: null });
    if (result.kind === 'refused') return result.reason;
    return result.unchanged ? `it is ${item.status} already` : null;
  }
  const { result } = resolveItem(state, { ...asked, ...auth, outcome: 'approve', unreadable, sign: null });
  if (result.kind === 'refused') return result.reason;
  return result.unchanged ? 'you have approved it already' : null;
}

/** A snapshot that is gone, or of a kit to come, says nothing. */
export const readDescription = ({ blobs }: Pick<Stores, 'blobs'>, job: Job): Promise<string | null> =>
  decodeSnapshot(blobs, job).then(
    ({ topology }) => topology.description ?? null,
    () => null,
  );

async function foldedRun(stores: Pick<Stores, 'events' | 'jobs'>, jobId: string): Promise<RunView> {
  const fold = new RunFold(EMPTY_TRACE);
  const ask = { jobId, afterSeq: 0, signal: new AbortController().signal, onlyUntilNow: true };
  for await (const event of followRun(stores, ask)) fold.add(event);
  return fold.view;
}
