import type { JobNeeds } from '../../../domain/job-needs.js';
import type { WaitingCount, WaitingKind } from '../../../domain/ports/serving.js';
import {
  type CountRow,
  decodeKinds,
  decodeNeeds,
  KINDS_LISTED,
  type KindRow,
  kindParams,
  type NeedsRow,
  waitingCount,
} from '../../waiting-kind.js';
import type { SqliteDeps } from '../deps.js';
import { COUNT_WAITING, DUE_NEEDS, NEXT_CLASS, NEXT_ENGINE, NEXT_NEEDS } from '../sql/waiting.js';
import type { SqlRunner } from '../sql-runner.js';

/** Before every kind that there is: engines count from 1. */
const BEFORE_ALL: KindRow = { engine: 0, job_class: '', needs: '' };

export const waitingKinds = ({ read }: SqliteDeps): Promise<readonly WaitingKind[]> =>
  read((sql) => decodeKinds(kindsIn(sql)));

function kindsIn(sql: SqlRunner): readonly KindRow[] {
  const rows: KindRow[] = [];
  for (let row = nextKind(sql, BEFORE_ALL); row !== undefined && rows.length < KINDS_LISTED; row = nextKind(sql, row))
    rows.push(row);
  return rows;
}

function nextKind(sql: SqlRunner, { engine, job_class: jobClass, needs }: KindRow): KindRow | undefined {
  return (
    sql.get<KindRow>(NEXT_NEEDS, { engine, jobClass, needs }) ??
    sql.get<KindRow>(NEXT_CLASS, { engine, jobClass }) ??
    sql.get<KindRow>(NEXT_ENGINE, { engine })
  );
}

export const waitingNeeds = ({ read }: SqliteDeps): Promise<readonly JobNeeds[]> =>
  read((sql) => decodeNeeds([...kindsIn(sql), ...sql.all<NeedsRow>(DUE_NEEDS, { limit: KINDS_LISTED })]));

export function countWaiting({ read }: SqliteDeps, kind: WaitingKind): Promise<WaitingCount | null> {
  return read((sql) => waitingCount(sql.get<CountRow>(COUNT_WAITING, kindParams(kind))));
}
