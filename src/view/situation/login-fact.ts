import { isLoginOver, missingLoginIn } from '../../domain/consent.js';
import type { Job } from '../../domain/job.js';
import { loginLine } from '../login-line.js';

/** The line by which the login is made that the run misses; null = it misses none. */
export function loginFact({ reason, error }: Pick<Job, 'reason' | 'error'>): string | null {
  const login = isLoginOver(reason ?? '') ? missingLoginIn(error) : null;
  return login === null ? null : `a login: ${loginLine(login)}`;
}
