import { askLimiter, type LimiterState, newLimiter } from '../../domain/limiter-state.js';
import type { LimiterHome } from '../../domain/ports/limiter.js';
import type { Clock } from '../../domain/ports/system.js';

/** Limits of this process alone. */
export function localHome(clock: Pick<Clock, 'now'>): LimiterHome {
  const states = new Map<string, LimiterState>();
  return (account, ask) => {
    const { state, answer } = askLimiter(states.get(account) ?? newLimiter(ask.stated), ask, clock.now());
    states.set(account, state);
    return answer;
  };
}
