/** Statements about sealed rows, the same text in both dialects; named parameters. */

const COLUMNS = 'space, kind, name, owner, key_id, revision, written_at, sealed';
const IS_ROW = 'space = @space AND kind = @kind AND name = @name AND owner = @owner';

export const GET_SEALED = `SELECT ${COLUMNS} FROM sealed_rows WHERE ${IS_ROW}`;
export const LIST_SEALED = `SELECT ${COLUMNS} FROM sealed_rows WHERE space = @space AND kind = @kind ORDER BY name, owner LIMIT @limit`;
export const LIST_ALL_SEALED = `SELECT ${COLUMNS} FROM sealed_rows ORDER BY space, kind, name, owner LIMIT @limit`;

/** Logins that are kept, by name; those under way end by themselves. */
export const LIST_LOGINS =
  "SELECT name AS credential, owner FROM sealed_rows WHERE kind = 'token' ORDER BY name, owner LIMIT 1000";

/** No row changed: there is one. */
export const ADD_SEALED = `
INSERT INTO sealed_rows (${COLUMNS}) VALUES (@space, @kind, @name, @owner, @keyId, @revision, @writtenAt, @sealed)
ON CONFLICT (space, kind, name, owner) DO NOTHING`;

/** No row changed: it has another revision by now, or is gone. */
export const SET_SEALED = `
UPDATE sealed_rows SET key_id = @keyId, revision = @revision, written_at = @writtenAt, sealed = @sealed
WHERE ${IS_ROW} AND revision = @before`;

export const TAKE_SEALED = `DELETE FROM sealed_rows WHERE ${IS_ROW} RETURNING ${COLUMNS}`;
export const DROP_SEALED = 'DELETE FROM sealed_rows WHERE space = @space AND kind = @kind AND written_at < @before';

export const GET_LEASE = 'SELECT holder FROM sealed_leases WHERE name = @name';
export const TAKE_LEASE = `
INSERT INTO sealed_leases (name, holder, lease_until) VALUES (@name, @holder, @until)
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, lease_until = excluded.lease_until
WHERE sealed_leases.holder = excluded.holder OR sealed_leases.lease_until <= @now`;
export const END_LEASE = 'DELETE FROM sealed_leases WHERE name = @name AND holder = @holder';
