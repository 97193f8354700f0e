/**
 * The thread of `createPatternJudge`. Run from `dist` as JavaScript, and from `src` (tests) by
 * Node's own type stripping: hence no import of this project but of types. It answers once.
 */
import { createContext, Script } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';
import type { PatternAnswers } from '../lib/patterns/judge-value.js';
import type { PatternWork } from './patterns-in-time.js';

function answer({ questions, timeoutMs }: PatternWork): PatternAnswers {
  const script = new Script('questions.map(({ source, flags = "u", text }) => new RegExp(source, flags).test(text))');
  try {
    return [...script.runInContext(createContext({ questions }), { timeout: timeoutMs })] as boolean[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'late';
    throw error;
  }
}

parentPort?.postMessage(answer(workerData as PatternWork));
