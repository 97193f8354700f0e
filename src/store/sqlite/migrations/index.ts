import type { MigrationNumber } from '../../migrations.js';
import { INITIAL } from './0001-initial.js';
import { RETENTION } from './0002-retention.js';
import { LEAN_LOG } from './0004-lean-log.js';

/** SQLite text of each migration. */
export const SQLITE_MIGRATIONS: Readonly<Record<MigrationNumber, string>> = { 1: INITIAL, 2: RETENTION, 4: LEAN_LOG };
