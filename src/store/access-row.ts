import type { AccessEntry } from '../domain/ports/serving.js';
import type { RowParams } from './row-params.js';

/** A line of the access log as both dialects return it. */
export interface AccessRecord {
  readonly client_id: string;
  readonly provider: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly request_id: string;
  readonly at: string;
}

export const accessParams = (entry: AccessEntry, at: string): RowParams => ({ ...entry, at });

export const decodeAccess = (row: AccessRecord): AccessEntry & { readonly at: string } => ({
  clientId: row.client_id,
  provider: row.provider,
  method: row.method,
  route: row.route,
  status: row.status,
  requestId: row.request_id,
  at: row.at,
});
