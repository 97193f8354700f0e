import type { Caller } from '@kit-run/kit/plugin';

/** Who asks, as a use case takes it. */
export const submitterOf = ({ clientId, clientName, assurance }: Caller) => ({
  identity: clientId,
  clientName,
  assurance,
});

/** The same where an identity alone is asked for. */
export const byOf = ({ clientId, clientName }: Caller) => ({ by: clientId, clientName });
