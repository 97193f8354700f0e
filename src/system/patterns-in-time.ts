import { Worker } from 'node:worker_threads';
import type { JudgePatterns, PatternAnswers, PatternQuestion } from '../lib/patterns/judge-value.js';
import { runnableFile } from './runnable-file.js';

/** What the thread is given. */
export interface PatternWork {
  readonly questions: readonly PatternQuestion[];
  readonly timeoutMs: number;
}

/** Of all questions about one value; the start of the thread does not count. */
const TIMEOUT_MS = 100;

/**
 * Answers in a thread of its own, one value after the other: however many clients ask, one thread
 * is at work.
 */
export function createPatternJudge(timeoutMs: number = TIMEOUT_MS): JudgePatterns {
  let last: Promise<unknown> = Promise.resolve();
  return (questions) => {
    const next = last.then(() => ask({ questions, timeoutMs }));
    last = next.catch(() => undefined);
    return next;
  };
}

async function ask(work: PatternWork): Promise<PatternAnswers> {
  const worker = new Worker(runnableFile(new URL('./patterns-thread.ts', import.meta.url)), {
    execArgv: [],
    env: {},
    workerData: work,
  });
  try {
    return await new Promise<PatternAnswers>((resolve, reject) => {
      // What comes over is what the thread has written.
      worker.once('message', (said: PatternAnswers) => resolve(said));
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the thread that looks for patterns ended without an answer')));
    });
  } finally {
    await worker.terminate();
  }
}
