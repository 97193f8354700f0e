import type { Heard, LimiterAnswer, StatedLimits } from '../../domain/limiter.js';
import type { Closed, LimiterHome, Permit, PermitEnd, PermitRequest, PermitWait } from '../../domain/ports/limiter.js';
import { onAbort } from '../../lib/on-abort.js';
import type { LimiterDeps } from './model-limiter.js';

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

/** Who waits for others' requests to end asks again after this time, and up to a half more. */
const ASK_AGAIN_MS = 250;
/** Who has requests under way says so: else they count as over (HOLDER_MS). */
const STILL_HERE_MS = 10_000;
/** Who comes when a closed account opens is spread over this part of the pause. */
const SPREAD = 0.1;

/** The requests of this process to one account: those under way, and those that wait, in order. */
export class AccountLimiter {
  readonly #account: string;
  readonly #deps: AccountDeps;
  #waiters: Waiter[] = [];
  #inUse = 0;
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
    const ask = { holder, inUse: this.#inUse, waiting: this.#waiters.length, heard, stated: this.#stated };
    if (shared === undefined) return own(this.#account, ask);
    const failed = (error: unknown): LimiterAnswer | Promise<LimiterAnswer> => {
      log.debug('the shared limits of models cannot be asked: this process keeps its own meanwhile', {
        error: error instanceof Error ? error.message : String(error),
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
    this.#inUse += granted.length;
    for (const waiter of granted) waiter.settle(this.#permitNow());
    if (granted.length < answer.granted) this.#isDirty = true;
    const { reason, retryInMs } = answer;
    if (reason !== null) {
      this.#wait = { reason, untilMs: retryInMs === null ? null : this.#deps.clock.now() + retryInMs };
      if (reason === 'closed') this.#turnAway(retryInMs ?? 0);
    }
    if (this.#isDirty) this.#ask();
    else this.#askLater(retryInMs);
  }

  /** A provider that refuses for longer than somebody waits. */
  #turnAway(closedForMs: number): void {
    const [away, waiting] = partition(this.#waiters, ({ request }) => closedForMs > request.longestClosedMs);
    this.#waiters = waiting;
    if (away.length > 0) this.#isDirty = true;
    for (const waiter of away) waiter.settle({ closedForMs });
  }

  #permitNow(): Permit {
    const { clock } = this.#deps;
    const sentAtMs = clock.now();
    let isOver = false;
    return {
      told: (told) => {
        this.#heard.push({ type: 'told', told });
      },
      end: (end) => {
        if (isOver) return;
        isOver = true;
        this.#inUse -= 1;
        const heard = heardOf(end, clock.now() - sentAtMs);
        if (heard !== null) this.#heard.push(heard);
        this.#ask();
      },
    };
  }

  #askLater(retryInMs: number | null): void {
    const waits = this.#waiters.length > 0;
    const isShared = this.#deps.shared !== undefined;
    const ms = waits
      ? nextLookMs({ retryInMs, isShared, random: this.#deps.random() })
      : isShared && this.#inUse > 0
        ? STILL_HERE_MS
        : null;
    if (ms === null) return;
    const timer = new AbortController();
    this.#timer = timer;
    this.#deps.clock.sleep(ms, timer.signal).then(
      () => this.#ask(),
      () => {},
    );
  }
}

/** An abort without a reason would make an error with a stack, for nobody. */
const ASKED = 'asked';

/** Null = whoever ends a request of this process asks. */
function nextLookMs(look: {
  readonly retryInMs: number | null;
  readonly isShared: boolean;
  readonly random: number;
}): number | null {
  const { retryInMs, isShared, random } = look;
  if (retryInMs !== null) return Math.ceil(retryInMs * (1 + SPREAD * random));
  return isShared ? ASK_AGAIN_MS * (1 + random / 2) : null;
}

function heardOf(end: PermitEnd, ageMs: number): Heard | null {
  switch (end.type) {
    case 'answered':
      return { type: 'answered' };
    case 'refused':
      return { type: 'refused', retryAfterMs: end.retryAfterMs, ageMs };
    case 'failed':
      return null;
  }
}

function partition<T>(items: readonly T[], is: (item: T) => boolean): [T[], T[]] {
  return [items.filter(is), items.filter((item) => !is(item))];
}
