import type { Decision, GovernanceProvider, PolicyRequest } from '../domain/ports/governance.js';
import type { Clock } from '../domain/ports/system.js';
import { LATER, settledSoon } from '../lib/settled-soon.js';
import type { Soon } from '../lib/soon.js';

/** Why a denial was made by kit itself and not by the provider. */
export type DecideFault = 'provider_missing' | 'provider_failed' | 'provider_timeout' | 'verdict_unknown';

/**
 * A decision as it is recorded; `fault` is set when the provider gave no verdict that can be used.
 */
export interface Decided {
  readonly decision: Decision;
  readonly fault: DecideFault | null;
}

export interface DecideOptions {
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** The run's scope: its abort is passed on as it is, never recorded as a denial. */
  readonly signal: AbortSignal;
}

/** Long enough for a remote policy service, short enough not to hold a run for long. */
export const DECIDE_TIMEOUT_MS = 30_000;

/**
 * Asks the provider, and takes nothing but a clear verdict: a missing provider, a throw, a timeout
 * and an answer of another shape are denials (docs/design/decisions.md#governance-fails-closed).
 * The text of a thrown error is not repeated: it may hold anything.
 */
export function decide(
  provider: GovernanceProvider | null,
  request: PolicyRequest,
  options: DecideOptions,
): Soon<Decided> {
  if (provider === null) return refused('provider_missing', 'there is no governance provider to ask');
  const { signal } = options;
  if (signal.aborted) return Promise.reject(signal.reason);
  const scope = new AbortController();
  let asked: PromiseLike<unknown>;
  try {
    const answer: unknown = provider.evaluate(request, scope.signal);
    if (!isPromised(answer)) return readVerdict(answer);
    asked = answer;
  } catch {
    // What a provider throws before it returns a promise, or as its answer is read, is the same as
    // a rejection.
    return signal.aborted ? Promise.reject(signal.reason) : failed();
  }
  return decided(Promise.resolve(asked), scope, options);
}

/** Whatever can be waited for: a provider may bring promises of its own. */
const isPromised = (answer: unknown): answer is PromiseLike<unknown> =>
  typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function';

const failed = (): Decided => refused('provider_failed', 'the governance provider failed');

async function decided(asked: Promise<unknown>, scope: AbortController, options: DecideOptions): Promise<Decided> {
  try {
    const soon = await settledSoon(asked);
    const answer = soon === LATER ? await withinTime(asked, scope, options) : soon;
    if (answer === TIMED_OUT)
      return refused('provider_timeout', `the governance provider did not answer within ${options.timeoutMs} ms`);
    return readVerdict(answer);
  } catch {
    options.signal.throwIfAborted();
    return failed();
  }
}

/**
 * Ends the scope of the question when nobody waits for its answer any more. Rejects when the run is
 * aborted.
 */
async function withinTime(asked: Promise<unknown>, scope: AbortController, options: DecideOptions): Promise<unknown> {
  const onAbort = (): void => scope.abort(options.signal.reason);
  options.signal.addEventListener('abort', onAbort);
  if (options.signal.aborted) onAbort();
  try {
    const timeout = options.clock.sleep(options.timeoutMs, scope.signal).then(() => TIMED_OUT);
    timeout.catch(() => undefined);
    return await Promise.race([asked, timeout]);
  } finally {
    options.signal.removeEventListener('abort', onAbort);
    scope.abort(DECIDED);
  }
}

/** An abort without a reason would make an error with a stack, for nobody. */
const DECIDED = 'decided';
const TIMED_OUT = Symbol('timed out');

/** Of a provider's words so much is kept and shown. */
const MAX_REASON_CHARS = 2_000;
const MAX_NAME_CHARS = 500;
const MAX_NEEDS = 100;
/** Somebody is left out by no bound: whoever names more is not understood. */
const MAX_APPROVERS = 1_000;

/**
 * Answers of a provider are data from outside: only the three verdicts count, with the fields they
 * must have, and none is longer than people read.
 */
export function readVerdict(answer: unknown): Decided {
  if (typeof answer !== 'object' || answer === null || !('verdict' in answer)) return unknownVerdict();
  const policy =
    'policyDigest' in answer && typeof answer.policyDigest === 'string'
      ? { policyDigest: answer.policyDigest.slice(0, MAX_NAME_CHARS) }
      : {};
  const said = 'reason' in answer && typeof answer.reason === 'string' ? answer.reason : '';
  const reason = said === '' ? null : said.slice(0, MAX_REASON_CHARS);
  switch (answer.verdict) {
    case 'allow':
      return { decision: { verdict: 'allow', ...policy }, fault: null };
    case 'deny':
      return {
        decision: {
          verdict: 'deny',
          reason: reason ?? 'the governance provider gave no reason',
          needs: textsOf('needs' in answer ? answer.needs : [])
            .slice(0, MAX_NEEDS)
            .map((need) => need.slice(0, MAX_NAME_CHARS)),
          ...policy,
        },
        fault: null,
      };
    case 'ask': {
      const approvers = readApprovers(answer);
      // Whom it wanted to be asked cannot be read: then nobody is.
      if (approvers === null)
        return refused('verdict_unknown', 'the governance provider names approvers that are not a list of names');
      const named = approvers.length === 0 ? {} : { approvers };
      return {
        decision: {
          verdict: 'ask',
          reason: reason ?? 'the governance provider asks for a person',
          ...named,
          ...policy,
        },
        fault: null,
      };
    }
    default:
      return unknownVerdict();
  }
}

/** Null: it names them in a way that cannot be read. */
function readApprovers(answer: object): readonly string[] | null {
  if (!('approvers' in answer) || answer.approvers === undefined) return [];
  const named = textsOf(answer.approvers);
  const isBounded = named.length <= MAX_APPROVERS && named.every(({ length }) => length <= MAX_NAME_CHARS);
  return Array.isArray(answer.approvers) && named.length === answer.approvers.length && isBounded ? named : null;
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

const unknownVerdict = (): Decided => refused('verdict_unknown', 'the governance provider gave no known verdict');

const refused = (fault: DecideFault, reason: string): Decided => ({
  decision: { verdict: 'deny', reason, needs: [] },
  fault,
});
