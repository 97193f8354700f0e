import { behind } from '../../app/doctor/checks/check.js';
import { checkServerAuth } from '../../app/doctor/checks/server-auth.js';
import type { Probe } from '../../app/doctor/run-probes.js';
import { isKitError } from '../../domain/errors.js';
import type { BootSession } from '../parts.js';

/** Whether `kit serve` would know its callers here: keys are read, and nothing of them is shown. */
export const serverAuthProbe = (session: () => Promise<BootSession>): Probe => ({
  id: 'server-auth',
  look: async () => {
    const opened = await session().catch(() => null);
    if (opened === null) return [behind('server-auth')];
    const { workspace, plugins, credentials } = opened;
    const { planServerAuth } = await import('../../app/serve/auth/open-auth.js');
    try {
      const { name, warnings } = await planServerAuth(workspace, { host: plugins, credentials });
      return [checkServerAuth({ kind: 'planned', name, warnings })];
    } catch (error) {
      if (!isKitError(error)) throw error;
      return [checkServerAuth({ kind: 'refused', error })];
    }
  },
});
