import type { EventMark, LogSource } from '../audit/log-source.js';
import type { EventRecord } from '../event-row.js';
import { BEHIND, NEWEST_UP_TO } from '../sql/audit.js';
import { READ_ALL } from '../sql/events.js';
import type { StoreMeta } from '../store-meta.js';
import type { ChangeWatch } from './change-watch.js';
import { isoAt, type SqliteDeps } from './deps.js';

interface SourceParts {
  readonly identity: StoreMeta;
  readonly deps: Pick<SqliteDeps, 'read' | 'clock'>;
  readonly watch: ChangeWatch;
}

/** The log in SQLite, as it is copied from. */
export const sqliteLogSource = ({ identity, deps, watch }: SourceParts): LogSource => ({
  identity,
  slice: (afterPos, limit) =>
    deps.read((sql) => ({
      last: sql.get<EventMark>(NEWEST_UP_TO, { pos: afterPos }) ?? null,
      records: sql.all<EventRecord>(READ_ALL, { afterPos, limit }),
    })),
  behind: (afterPos, max) =>
    deps.read((sql) => {
      const found = sql.get<{ events: number; oldest: string | null }>(BEHIND, { afterPos, max });
      if (found === undefined) throw new Error('the store told no count');
      return { ...found, now: isoAt(deps.clock.now()) };
    }),
  waitForChange: (timeoutMs, signal) => watch.wait(timeoutMs, signal),
});
