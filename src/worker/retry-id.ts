import { sha256Hex } from '../lib/sha256.js';

/**
 * The id of the retry of a run: by the failed run alone, so that one row can be made, however many
 * ask and wherever.
 */
export const retryIdOf = (jobId: string): string => sha256Hex(`retry of ${jobId}`).slice(0, jobId.length);
