import { isKitError } from '../../../domain/errors.js';
import type { DoctorCheck } from '../../../view/doctor-report.js';

/** It is as it should be. */
export const ok = (id: string, found: string): DoctorCheck => ({ id, status: 'ok', found, fix: null });
/** It works, and somebody should look. */
export const warn = (id: string, found: string, fix: string | null): DoctorCheck => ({
  id,
  status: 'warn',
  found,
  fix,
});
/** It does not work. */
export const fail = (id: string, found: string, fix: string | null): DoctorCheck => ({
  id,
  status: 'fail',
  found,
  fix,
});
/** There is nothing to check. */
export const skipped = (id: string, found: string, fix: string | null = null): DoctorCheck => ({
  id,
  status: 'skipped',
  found,
  fix,
});

/** What to do about a store that is damaged. */
export const RESTORE = 'Restore the store from a backup.';

/** What has a check of its own: whatever stands on it says so and does not say it again. */
const ELSEWHERE: readonly string[] = [
  'KIT_WORKSPACE_NOT_FOUND',
  'KIT_WORKSPACE_INVALID',
  'KIT_PROVIDER_INVALID',
  'KIT_ENV_INVALID',
];

/** A check that could not be made: because of another one, or for a reason of its own. */
export const failedLook = (id: string, error: unknown): DoctorCheck =>
  isKitError(error) && ELSEWHERE.includes(error.code) ? behind(id) : failWith(id, error);

/** The check of something that stands on another one that failed. */
export const behind = (id: string): DoctorCheck => skipped(id, 'what it stands on has to be fixed first');

/**
 * A refusal in kit's own words says what to do; any other error may quote anything, and is only
 * named.
 */
export function failWith(id: string, error: unknown): DoctorCheck {
  // The hint of the code sends people here, where they are.
  if (isKitError(error) && error.code === 'KIT_STORE_CORRUPT') return fail(id, error.message, RESTORE);
  if (isKitError(error)) return fail(id, error.message, error.hint ?? null);
  return fail(
    id,
    `it could not be checked (${error instanceof Error ? error.name : 'an error'})`,
    'Run it again with KIT_VERBOSE=1 and report the stack.',
  );
}
