import type { IncomingHttpHeaders } from 'node:http';

/**
 * The trace that a caller sends along, as the submit takes it; what is not a `traceparent` is
 * ignored there.
 */
export const traceOf = ({ traceparent }: IncomingHttpHeaders): { readonly traceParent?: string } =>
  typeof traceparent === 'string' ? { traceParent: traceparent } : {};
