import type { MigrationNumber } from '../../migrations.js';
import { INITIAL } from './0001-initial.js';
import { RETENTION } from './0002-retention.js';
import { GATES } from './0003-gates.js';
import { LEAN_LOG } from './0004-lean-log.js';
import { ARTIFACTS } from './0005-artifacts.js';
import { SERVING } from './0006-serving.js';
import { MACHINES } from './0007-machines/index.js';
import { AGENTS } from './0008-agents/index.js';
import { CALLS } from './0009-calls.js';
import { PEOPLE } from './0010-people.js';
import { FIGURES } from './0011-figures.js';
import { CALLERS } from './0012-callers.js';
import { LIMITERS } from './0013-limiters.js';
import { NAMES } from './0014-names.js';
import { SEALED } from './0015-sealed.js';
import { LEAN_IDS } from './0016-lean-ids.js';
import { ROOM_IN_ROWS } from './0017-room-in-rows.js';
import { USAGE } from './0018-usage.js';
import { TYPES_APART } from './0019-types-apart.js';
import { THIN_ROWS } from './0020-thin-rows.js';

/** PostgreSQL text of each migration. */
export const POSTGRES_MIGRATIONS: Readonly<Record<MigrationNumber, string>> = {
  1: INITIAL,
  2: RETENTION,
  3: GATES,
  4: LEAN_LOG,
  5: ARTIFACTS,
  6: SERVING,
  7: MACHINES,
  8: AGENTS,
  9: CALLS,
  10: PEOPLE,
  11: FIGURES,
  12: CALLERS,
  13: LIMITERS,
  14: NAMES,
  15: SEALED,
  16: LEAN_IDS,
  17: ROOM_IN_ROWS,
  18: USAGE,
  19: TYPES_APART,
  20: THIN_ROWS,
};
