import type { Caller } from './ports/http.js';

/** Who asks over HTTP, as a use case takes it. */
export const submitterOf = ({ clientId, clientName, assurance }: Caller) => ({
  identity: clientId,
  clientName,
  assurance,
});

/** The same where an identity alone is asked for. */
export const byOf = ({ clientId, clientName }: Caller) => ({ by: clientId, clientName });
