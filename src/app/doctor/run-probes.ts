import type { Clock } from '../../domain/ports/system.js';
import { mapTexts } from '../../lib/map-texts.js';
import { withoutPasswords } from '../../lib/show-url.js';
import type { DoctorCheck } from '../../view/doctor-report.js';
import { fail, failedLook } from './checks/check.js';

/** One look at the world, and what it means. */
export interface Probe {
  /** Names the check that stands for the probe when it throws or gives no answer. */
  readonly id: string;
  look(): Promise<readonly DoctorCheck[]>;
  /** Somebody asked for all of it, and waits as long as it takes. Absent: it has PROBE_MS. */
  readonly isUnbounded?: boolean;
}

/** Nobody waits longer for one of them. */
export const PROBE_MS = 5_000;

/**
 * All of them at once, each with its own time; answers in the order of the probes. Never rejects.
 */
export async function runProbes(
  probes: readonly Probe[],
  clock: Pick<Clock, 'sleep'>,
): Promise<readonly DoctorCheck[]> {
  return (await Promise.all(probes.map((probe) => inTime(probe, clock)))).flat();
}

async function inTime({ id, look, isUnbounded }: Probe, clock: Pick<Clock, 'sleep'>): Promise<readonly DoctorCheck[]> {
  if (isUnbounded === true) return look().catch((error: unknown) => [failedLook(id, error)]);
  const over = new AbortController();
  const late = clock.sleep(PROBE_MS, over.signal).then(
    () => [
      fail(
        id,
        `no answer within ${PROBE_MS / 1000} s`,
        'Look whether what it stands on can be reached from this machine.',
      ),
    ],
    () => [],
  );
  try {
    return await Promise.race([look().catch((error: unknown) => [failedLook(id, error)]), late]);
  } finally {
    over.abort('answered');
  }
}

/**
 * The same checks with every secret that is known taken out, and every password of a URL, wherever
 * a message may have brought it.
 */
export const maskedChecks = (checks: readonly DoctorCheck[], mask: (text: string) => string): readonly DoctorCheck[] =>
  mapTexts(checks, (text) => withoutPasswords(mask(text)) ?? '***');
