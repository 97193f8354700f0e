import { messageOf } from '../../domain/errors.js';
import type { Heard, LimiterAnswer, StatedLimits } from '../../domain/limiter.js';
import type { Closed, LimiterHome, Permit, PermitEnd, PermitRequest, PermitWait } from '../../domain/ports/limiter.js';
import { type Clock, elapsedMs, type Log } from '../../domain/ports/system.js';
import { onAbort } from '../../lib/on-abort.js';

interface AccountDeps extends Omit<LimiterDeps, 'shared'> {
  readonly shared?: LimiterHome;
  /** Asked where there is no other one, and while that one cannot be asked. */
  readonly own: LimiterHome;
}

/** Somebody who waits for a permit. */
interface Waiter {
  readonly request: PermitRequest;
  readonly settle: (permit: Permit | Closed) => void;
}

/** A request under way. */
interface Sent {
  readonly atMs: number;
  /** The home has heard that it was taken. */
  isTaken: boolean;
}

/** Who waits for others' requests to end asks again after this time, and up to a half more. */
const ASK_AGAIN_MS = 250;
/** Who has requests under way says so: else they count as over (HOLDER_MS). */
const STILL_HERE_MS = 10_000;
/** A provider refuses at once: what it has not refused for so long it has taken. */
const TAKEN_MS = 1_000;
/** Who comes when a closed account opens is spread over this part of the pause. */
const SPREAD = 0.1;

/** The requests of this process to one account: those under way, and those that wait, in order. */
export class AccountLimiter {
  readonly #account: string;
  readonly #deps: AccountDeps;
  #waiters: Waiter[] = [];
  readonly #sent = new Set<Sent>();
  #heard: Heard[] = [];
  #stated: StatedLimits = { inFlight: null, requestsPerMinute: null };
  #wait: PermitWait = { reason: 'in_flight', untilMs: null };
  #isAsking = false;
  #isDirty = false;
  #timer: AbortController | null = null;

  constructor(account: string, deps: AccountDeps) {
    this.#account = account;
    this.#deps = deps;
  }

  /** Why those wait that wait now. */
  get wait(): PermitWait {
    return this.#wait;
  }

  permit(request: PermitRequest): Promise<Permit | Closed> {
    const { signal } = request;
    if (signal.aborted) return Promise.reject(signal.reason);
    this.#stated = request.limits;
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        request,
        settle: (permit) => {
          off();
          resolve(permit);
        },
      };
      const off = onAbort(signal, () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        this.#ask();
        reject(signal.reason);
      });
      this.#waiters.push(waiter);
      this.#ask();
    });
  }

  /** Tells what was heard, and asks for those that wait. One question at a time. */
  #ask(): void {
    if (this.#isAsking) {
      this.#isDirty = true;
      return;
    }
    this.#isAsking = true;
    this.#isDirty = false;
    this.#timer?.abort(ASKED);
    this.#timer = null;
    if (this.#waiters.length > 0) this.#noteTaken();
    const heard = this.#heard;
    this.#heard = [];
    const answer = this.#askHome(heard);
    if (!(answer instanceof Promise)) {
      this.#answered(answer);
      return;
    }
    void answer.then((known) => this.#answered(known));
  }

  #askHome(heard: readonly Heard[]): LimiterAnswer | Promise<LimiterAnswer> {
    const { shared, own, holder, log } = this.#deps;
    const ask = { holder, inUse: this.#sent.size, waiting: this.#waiters.length, heard, stated: this.#stated };
    if (shared === undefined) return own(this.#account, ask);
    const failed = (error: unknown): LimiterAnswer | Promise<LimiterAnswer> => {
      log.debug('the shared limits of models cannot be asked: this process keeps its own meanwhile', {
        error: messageOf(error),
      });
      return own(this.#account, ask);
    };
    try {
      const asked = shared(this.#account, ask);
      return asked instanceof Promise ? asked.catch(failed) : asked;
    } catch (error) {
      return failed(error);
    }
  }

  #answered(answer: LimiterAnswer): void {
    this.#isAsking = false;
    // Of those that waited when it was asked, some may have gone: what they were granted goes back
    // with the next question.
    const granted = this.#waiters.splice(0, answer.granted);
    for (const waiter of granted) waiter.settle(this.#permitNow());
    if (granted.length < answer.granted) this.#isDirty = true;
    const { reason, retryInMs } = answer;
    if (reason !== null) {
      this.#wait = { reason, untilMs: retryInMs === null ? null : this.#deps.clock.now() + retryInMs };
      if (reason === 'closed') this.#refuseLongWaits(retryInMs ?? 0);
    }
    if (this.#isDirty) this.#ask();
    else this.#askLater(retryInMs);
  }

  /** A provider that refuses for longer than somebody waits. */
  #refuseLongWaits(closedForMs: number): void {
    const [refused, waiting] = partition(this.#waiters, ({ request }) => closedForMs > request.longestClosedMs);
    this.#waiters = waiting;
    if (refused.length > 0) this.#isDirty = true;
    for (const waiter of refused) waiter.settle({ closedForMs });
  }

  #noteTaken(): void {
    const beforeMs = elapsedMs(this.#deps.clock) - TAKEN_MS;
    for (const sent of this.#sent) {
      if (sent.isTaken || sent.atMs > beforeMs) continue;
      sent.isTaken = true;
      this.#heard.push({ type: 'taken' });
    }
  }

  #permitNow(): Permit {
    const { clock } = this.#deps;
    const sent: Sent = { atMs: elapsedMs(clock), isTaken: false };
    this.#sent.add(sent);
    return {
      report: (limit) => {
        this.#heard.push({ type: 'reported', limit });
      },
      end: (end) => {
        if (!this.#sent.delete(sent)) return;
        const heard = heardOf(end, { ageMs: elapsedMs(clock) - sent.atMs, isTaken: sent.isTaken });
        if (heard !== null) this.#heard.push(heard);
        this.#ask();
      },
    };
  }

  #askLater(retryInMs: number | null): void {
    const ms = this.#nextLookMs(retryInMs);
    if (ms === null) return;
    const timer = new AbortController();
    this.#timer = timer;
    this.#deps.clock.sleep(ms, timer.signal).then(
      () => this.#ask(),
      () => {},
    );
  }

  /** Null = whoever comes, or ends a request of this process, asks. */
  #nextLookMs(retryInMs: number | null): number | null {
    const { shared, random } = this.#deps;
    const stillHereMs = shared !== undefined && this.#sent.size > 0 ? STILL_HERE_MS : null;
    if (this.#waiters.length === 0) return stillHereMs;
    if (retryInMs !== null) {
      const ms = Math.ceil(Math.max(1, retryInMs) * (1 + SPREAD * random()));
      return Math.min(ms, stillHereMs ?? ms);
    }
    if (shared !== undefined) return ASK_AGAIN_MS * (1 + random() / 2);
    const next = [...this.#sent].find(({ isTaken }) => !isTaken);
    return next === undefined ? null : Math.max(1, next.atMs + TAKEN_MS - elapsedMs(this.#deps.clock));
  }
}

/** An abort without a reason would make an error with a stack, for nobody. */
const ASKED = 'asked';

function heardOf(end: PermitEnd, of: { readonly ageMs: number; readonly isTaken: boolean }): Heard | null {
  switch (end.type) {
    case 'answered':
      return of.isTaken ? null : { type: 'taken' };
    case 'refused':
      return { type: 'refused', retryAfterMs: end.retryAfterMs, ageMs: of.ageMs };
    case 'failed':
      return null;
  }
}

function partition<T>(items: readonly T[], is: (item: T) => boolean): [T[], T[]] {
  return [items.filter(is), items.filter((item) => !is(item))];
}

export interface LimiterDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Names this process among those of the store. */
  readonly holder: string;
  /** In [0, 1): spreads processes that ask again. */
  readonly random: () => number;
  /** Where limits of several processes lie; absent: this process is alone. */
  readonly shared?: LimiterHome;
}
