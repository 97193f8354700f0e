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
import type { PostgresDeps } from '../deps.js';
import { WAITING_NEEDS } from '../sql/jobs.js';
import { COUNT_WAITING, WAITING_KINDS } from '../sql/waiting.js';

export function waitingKinds({ read }: PostgresDeps): Promise<readonly WaitingKind[]> {
  return read(async (sql) => decodeKinds(await sql.all<KindRow>(WAITING_KINDS, { limit: KINDS_LISTED })));
}

export function waitingNeeds({ read }: PostgresDeps): Promise<readonly JobNeeds[]> {
  return read(async (sql) => decodeNeeds(await sql.all<NeedsRow>(WAITING_NEEDS)));
}

export function countWaiting({ read }: PostgresDeps, kind: WaitingKind): Promise<WaitingCount | null> {
  return read(async (sql) => waitingCount(await sql.get<CountRow>(COUNT_WAITING, kindParams(kind))));
}
