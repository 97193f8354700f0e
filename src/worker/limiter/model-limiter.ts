import { askLimiter, type LimiterState, newLimiter } from '../../domain/limiter-state.js';
import type { Closed, LimiterHome, ModelLimiter, Permit, PermitWait } from '../../domain/ports/limiter.js';
import { type Clock, elapsedMs } from '../../domain/ports/system.js';
import { sha256Hex } from '../../lib/sha256.js';
import type { LimiterDeps } from './account-limiter.js';
import { AccountLimiter } from './account-limiter.js';

const NO_WAIT: PermitWait = { reason: 'in_flight', untilMs: null };

/** The requests of all runs of this process, account by account. */
export function createModelLimiter(deps: LimiterDeps): ModelLimiter {
  const accounts = new Map<string, AccountLimiter>();
  const own = localHome(deps.clock);
  const open = (account: string): AccountLimiter => {
    const opened = new AccountLimiter(sha256Hex(account).slice(0, 32), { ...deps, own });
    accounts.set(account, opened);
    return opened;
  };
  return {
    permit: (request): Promise<Permit | Closed> => {
      const { account } = request.limits;
      return (accounts.get(account) ?? open(account)).permit(request);
    },
    waitOf: (account) => accounts.get(account)?.wait ?? NO_WAIT,
  };
}

/** Limits of this process alone. */
function localHome(clock: Pick<Clock, 'now' | 'elapsed'>): LimiterHome {
  const states = new Map<string, LimiterState>();
  return (account, ask) => {
    const { state, answer } = askLimiter(states.get(account) ?? newLimiter(ask.stated), ask, elapsedMs(clock));
    states.set(account, state);
    return answer;
  };
}
