import { type Caller, defineAuthProvider } from '@kit-run/kit/plugin';
import { DEFAULTS } from './generated/defaults.js';

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

/**
 * Auth provider `none`: everybody is the local operator that the workspace names, or anonymous;
 * nobody proved it.
 */
export const contribution = defineAuthProvider({
  create: (config) => {
    const identity = text(config.identity);
    const clientId = identity ?? DEFAULTS.none.identity;
    const clientName = text(config.identity_name) ?? identity ?? 'Anonymous';
    const caller: Caller = { clientId, clientName, provider: 'none', scopes: ['*'], assurance: 'asserted' };
    return {
      authenticate: async () => ({ kind: 'caller', caller }),
      info: () => ({ mode: 'none' }),
      warnings: [],
      identities: [clientId],
    };
  },
});
