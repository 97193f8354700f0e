import type { EventMark, LogSource } from '../../audit/log-source.js';
import type { EventRecord } from '../../event-row.js';
import { READ_ALL } from '../../sql/events.js';
import type { StoreMeta } from '../../store-meta.js';
import type { ChangeWatch } from '../change-watch.js';
import type { PostgresDeps } from '../deps.js';
import { BEHIND, NEWEST_UP_TO } from '../sql/audit.js';
import { NOW } from '../sql/session.js';

interface SourceParts {
  readonly identity: StoreMeta;
  readonly read: PostgresDeps['read'];
  readonly watch: ChangeWatch;
}

/**
 * The log in PostgreSQL, as it is copied from. Positions are drawn in commit order, so nothing
 * appears before what was read.
 */
export const postgresLogSource = ({ identity, read, watch }: SourceParts): LogSource => ({
  identity,
  slice: (afterPos, limit) =>
    read(async (sql) => ({
      last: (await sql.get<EventMark>(NEWEST_UP_TO, { pos: afterPos })) ?? null,
      records: await sql.all<EventRecord>(READ_ALL, { afterPos, limit }),
    })),
  behind: (afterPos, max) =>
    read(async (sql) => {
      const found = await sql.get<{ events: number; oldest: string | null }>(BEHIND, { afterPos, max });
      const clock = await sql.get<{ now: string }>(NOW);
      if (found === undefined || clock === undefined) throw new Error('the server told no count');
      return { ...found, ...clock };
    }),
  waitForChange: (timeoutMs, signal) => watch.wait(timeoutMs, signal),
});
