/**
 * The thread of `createPatternJudge`. Run from `dist` as JavaScript, and from `src` (tests) by
 * Node's own type stripping: hence no import of this project but of types. It answers once.
 */
import { createContext, Script } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import type { PatternAnswers } from '../lib/patterns/judge-value.js';
import type { PatternWork } from './patterns-in-time.js';

/** So often a thread that got no processor looks again; ten times the limit at most. */
const MOST_TRIES = 10;
/** A thread with less of a processor than this part of its limit had no chance. */
const LEAST_SHARE = 0.5;

/** Milliseconds of a processor that this thread has used; null = this Node does not tell. */
function usedMs(): number | null {
  const { threadCpuUsage } = process as { readonly threadCpuUsage?: () => NodeJS.CpuUsage };
  if (threadCpuUsage === undefined) return null;
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1_000;
}

function answer({ questions, timeoutMs }: PatternWork): PatternAnswers {
  const script = new Script('questions.map(({ source, flags = "u", text }) => new RegExp(source, flags).test(text))');
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const before = usedMs();
    try {
      return [...script.runInContext(createContext({ questions }), { timeout: timeoutMs })] as boolean[];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const after = usedMs();
      // The pattern took the time, and not the others on a busy machine.
      if (before === null || after === null || after - before >= timeoutMs * LEAST_SHARE) return 'late';
    }
  }
  return 'late';
}

parentPort?.postMessage(answer(workerData as PatternWork));
