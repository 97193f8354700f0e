import type { ExecutorEvent } from '../domain/ports/executor.js';
import { recordEvent } from './executor-record.js';
import type { StepContext } from './step-types.js';

/**
 * What one session says is kept up to here: a program that prints without end would make a log that
 * nobody can show any more. What it calls and reaches is always kept.
 */
export const MAX_SESSION_MESSAGES = 10_000;

/** Writes what happens in one session, and says once that its further messages are not kept. */
export function sessionLog(context: StepContext, agentId: string): (event: ExecutorEvent) => Promise<void> {
  let messages = 0;
  return async (event) => {
    const isSaid = event.type === 'message' || event.type === 'raw';
    if (isSaid) messages += 1;
    if (!isSaid || messages <= MAX_SESSION_MESSAGES) await recordEvent(context, agentId, event);
    else if (messages === MAX_SESSION_MESSAGES + 1)
      await recordEvent(context, agentId, { type: 'message', role: 'warning', text: UNKEPT });
  };
}

const UNKEPT = `the log keeps ${MAX_SESSION_MESSAGES} messages of a session: what it says from here on is not kept, what it calls is`;
