import type { Closed, ModelLimiter, Permit, PermitWait } from '../../domain/ports/limiter.js';
import { sha256Hex } from '../../lib/sha256.js';
import type { LimiterDeps } from './account-limiter.js';
import { AccountLimiter } from './account-limiter.js';
import { localHome } from './local-home.js';

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
