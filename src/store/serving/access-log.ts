import type { AccessEntry, ServingStore } from '../../domain/ports/serving.js';
import type { RowParams } from '../columns.js';
import { all, type Programs, run } from '../program.js';

/** A line of the access log as both dialects return it. */
interface AccessRecord {
  readonly client_id: string;
  readonly provider: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly request_id: string;
  readonly at: string;
}

const accessParams = (entry: AccessEntry, at: string): RowParams => ({ ...entry, at });

const decodeAccess = (row: AccessRecord): AccessEntry & { readonly at: string } => ({
  clientId: row.client_id,
  provider: row.provider,
  method: row.method,
  route: row.route,
  status: row.status,
  requestId: row.request_id,
  at: row.at,
});

/** Statements about the access log, the same text in both dialects; named parameters. */

const ADD_ACCESS = `
INSERT INTO serve_access (client_id, provider, method, route, status, request_id, at)
VALUES (@clientId, @provider, @method, @route, @status, @requestId, @at)`;

const READ_ACCESS = 'SELECT * FROM serve_access ORDER BY ord DESC LIMIT @limit';

/** Who asked a server what. */
export const createAccessLog = ({ read, write }: Programs): Pick<ServingStore, 'recordAccess' | 'access'> => ({
  recordAccess: async (entries) => {
    if (entries.length === 0) return;
    await write('serving.access', function* (at) {
      const now = at();
      for (const entry of entries) yield* run(ADD_ACCESS, accessParams(entry, now));
    });
  },
  access: async (limit) => (await read(() => all<AccessRecord>(READ_ACCESS, { limit }))).map(decodeAccess),
});
