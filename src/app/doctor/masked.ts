import { mapTexts } from '../../lib/map-texts.js';
import { withoutPasswords } from '../../lib/show-url.js';
import type { DoctorCheck } from '../../view/doctor-report.js';

const HIDDEN = '***';

/**
 * The same checks with every secret that is known taken out, and every password of a URL, wherever
 * a message may have brought it.
 */
export const maskedChecks = (checks: readonly DoctorCheck[], mask: (text: string) => string): readonly DoctorCheck[] =>
  mapTexts(checks, (text) => withoutPasswords(mask(text)) ?? HIDDEN);
