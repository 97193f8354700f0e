/** The file of the sealed rows: tokens, logins under way, and who refreshes what. */
export const SEALED_SCHEMA = `
CREATE TABLE sealed_meta (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE sealed_rows (
  space TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  owner TEXT NOT NULL,
  key_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  written_at TEXT NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (space, kind, name, owner)
) STRICT, WITHOUT ROWID;
CREATE TABLE sealed_leases (
  name TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  lease_until TEXT NOT NULL
) STRICT, WITHOUT ROWID;`;

export const ADD_SEALED_ID = "INSERT INTO sealed_meta (key, value) VALUES ('id', @id)";
export const READ_SEALED_ID = "SELECT value FROM sealed_meta WHERE key = 'id'";
