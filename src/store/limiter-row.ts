import type { LimiterAnswer, LimiterAsk } from '../domain/limiter.js';
import { askLimiter, type LimiterState, newLimiter } from '../domain/limiter-state.js';

/** Text of an account that nobody has asked about yet. */
export const newLimiterText = ({ stated }: LimiterAsk): string => JSON.stringify(newLimiter(stated));

/** One exchange over the text of a row. */
export function exchange(
  text: string,
  ask: LimiterAsk,
  nowMs: number,
): { readonly text: string; readonly answer: LimiterAnswer } {
  const { state, answer } = askLimiter(JSON.parse(text) as LimiterState, ask, nowMs);
  return { text: JSON.stringify(state), answer };
}
