import type { ServingStore } from '../../../domain/ports/serving.js';
import type { UsageFilter, UsageShare } from '../../../domain/ports/usage.js';
import { boundsOf, daysOf, foldUsage, type UsageRow } from '../../model-usage.js';
import { all, get, type Program, SQLITE_DIALECT } from '../../program.js';
import { createServing } from '../../serving/create-serving.js';
import { BEAT } from '../../sql/fleet.js';
import { KINDS_LISTED, type KindRow, type NeedsRow } from '../../waiting-kind.js';
import type { SqliteDeps } from '../deps.js';
import { sqlitePrograms } from '../programs.js';
import * as queue from '../sql/queue.js';
import { usage, usageOfRun } from '../sql/usage.js';
import { COUNT_WAITING, DUE_NEEDS, NEXT_CLASS, NEXT_ENGINE, NEXT_NEEDS } from '../sql/waiting.js';

/** A few with every beat: more go than come, and no write is long. */
const FORGET =
  'DELETE FROM fleet_members WHERE id IN (SELECT id FROM fleet_members WHERE beat_at < @before ORDER BY beat_at LIMIT @limit)';

/** Before every kind that there is: engines count from 1. */
const BEFORE_ALL: KindRow = { engine: 0, job_class: '', needs: '' };

/** What servers keep, in SQLite: fleet rows are those of the processes of one machine. */
export const createSqliteServing = (deps: SqliteDeps): ServingStore =>
  createServing(sqlitePrograms(deps), {
    dialect: SQLITE_DIALECT,
    beat: [BEAT, FORGET],
    queue,
    kinds: kindsIn,
    needs: function* () {
      return [...(yield* kindsIn()), ...(yield* all<NeedsRow>(DUE_NEEDS, { limit: KINDS_LISTED }))];
    },
    countWaiting: COUNT_WAITING,
    usage: (filter) => usageOf(deps, filter),
  });

function* kindsIn(): Program<readonly KindRow[]> {
  const rows: KindRow[] = [];
  for (
    let row = yield* nextKind(BEFORE_ALL);
    row !== undefined && rows.length < KINDS_LISTED;
    row = yield* nextKind(row)
  )
    rows.push(row);
  return rows;
}

function* nextKind({ engine, job_class: jobClass, needs }: KindRow): Program<KindRow | undefined> {
  return (
    (yield* get<KindRow>(NEXT_NEEDS, { engine, jobClass, needs })) ??
    (yield* get<KindRow>(NEXT_CLASS, { engine, jobClass })) ??
    (yield* get<KindRow>(NEXT_ENGINE, { engine }))
  );
}

async function usageOf(deps: SqliteDeps, filter: UsageFilter): Promise<readonly UsageShare[]> {
  const { jobId, by = 'model' } = filter;
  const asked = boundsOf(filter);
  const { from, before, cut } = daysOf(asked);
  const rows = await deps.read((sql) =>
    jobId === undefined
      ? sql.all<UsageRow>(usage(by), { ...asked, from, before, cut: JSON.stringify(cut) })
      : sql.all<UsageRow>(usageOfRun(by), { jobId, ...asked }),
  );
  return foldUsage(rows, by);
}
