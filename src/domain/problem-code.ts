import type { ErrorCode } from './error-registry.js';

/** The name of a refusal on the wire, which clients compare (gaps A1): `KIT_JOB_UNKNOWN` is `job-unknown`. */
export const problemCode = (code: ErrorCode): string => code.replace(/^KIT_/, '').toLowerCase().replaceAll('_', '-');
