import type { RowLease, SealedKey, SealedRow, SealedRowStore } from '../../domain/ports/sealed-rows.js';
import { all, change, get, type Program, type Programs, run } from '../program.js';
import {
  ADD_SEALED,
  DROP_SEALED,
  END_LEASE,
  GET_LEASE,
  GET_SEALED,
  LIST_ALL_SEALED,
  LIST_SEALED,
  SET_SEALED,
  TAKE_LEASE,
  TAKE_SEALED,
} from './sealed-sql.js';

const LISTED = 10_000;

interface SealedRecord {
  readonly space: string;
  readonly kind: string;
  readonly name: string;
  readonly owner: string;
  readonly key_id: string;
  readonly revision: number;
  readonly written_at: string;
  readonly sealed: string;
}

/** The rows over what carries out programs; `id` names the store that they lie in. */
export const createSealedRows = (
  { now, read, write }: Pick<Programs, 'now' | 'read' | 'write'>,
  id: () => Promise<string>,
): SealedRowStore => ({
  isThere: () => true,
  id,
  now,
  get: (key) => read(() => one(GET_SEALED, key)),
  list: (of) => read(() => list(of)),
  put: (row) => write('sealed.write', () => put(row)),
  take: (key) => write('sealed.write', () => take(key)),
  drop: async (of) => {
    await write('sealed.write', () => run(DROP_SEALED, { ...of }));
  },
  lease: (name, holder, ttlMs) => write('sealed.lease', (at) => lease({ name, holder, until: at(ttlMs), now: at() })),
  leaseHolder: (name) => read(() => leaseHolder(name)),
  letGo: async (name, holder) => {
    await write('sealed.lease', () => run(END_LEASE, { name, holder }));
  },
});

const keyOf = ({ space, kind, name, owner }: SealedKey) => ({ space, kind, name, owner });

function* one(sql: string, key: SealedKey): Program<SealedRow | null> {
  const found = yield* get<SealedRecord>(sql, keyOf(key));
  return found === undefined ? null : decode(found);
}

function* take(key: SealedKey): Program<SealedRow | null> {
  const [taken] = yield* change<SealedRecord>(TAKE_SEALED, keyOf(key));
  return taken === undefined ? null : decode(taken);
}

function* list(of: { readonly space: string; readonly kind: string } | null): Program<readonly SealedRow[]> {
  const rows = yield* of === null
    ? all<SealedRecord>(LIST_ALL_SEALED, { limit: LISTED })
    : all<SealedRecord>(LIST_SEALED, { space: of.space, kind: of.kind, limit: LISTED });
  return rows.map(decode);
}

function* put(row: SealedRow): Program<boolean> {
  const { keyId, revision, writtenAt, sealed } = row;
  const params = { ...keyOf(row), keyId, revision, writtenAt, sealed };
  const changed =
    revision === 1 ? yield* run(ADD_SEALED, params) : yield* run(SET_SEALED, { ...params, before: revision - 1 });
  return changed > 0;
}

interface LeaseRequest {
  readonly name: string;
  readonly holder: string;
  readonly until: string;
  readonly now: string;
}

function* lease({ name, holder, until, now }: LeaseRequest): Program<RowLease> {
  const seen = yield* get<{ readonly holder: string }>(GET_LEASE, { name });
  const changed = yield* run(TAKE_LEASE, { name, holder, until, now });
  if (changed === 0) return 'held';
  return seen === undefined || seen.holder === holder ? 'taken' : 'left';
}

function* leaseHolder(name: string): Program<string | null> {
  const seen = yield* get<{ readonly holder: string }>(GET_LEASE, { name });
  return seen?.holder ?? null;
}

const decode = (row: SealedRecord): SealedRow => ({
  space: row.space,
  kind: row.kind,
  name: row.name,
  owner: row.owner,
  keyId: row.key_id,
  revision: row.revision,
  writtenAt: row.written_at,
  sealed: row.sealed,
});
