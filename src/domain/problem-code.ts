import type { ErrorCode } from './error-registry.js';

/**
 * The name of a refusal on the wire, which clients compare (docs/design/decisions.md#problems):
 * `KIT_JOB_UNKNOWN` is `job-unknown`.
 */
export const problemCode = (code: ErrorCode): string => code.replace(/^KIT_/, '').toLowerCase().replaceAll('_', '-');
