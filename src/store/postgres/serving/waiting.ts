import type { WaitingCount, WaitingKind } from '../../../domain/ports/serving.js';
import {
  type CountRow,
  decodeKinds,
  KINDS_LISTED,
  type KindRow,
  kindParams,
  waitingCount,
} from '../../waiting-kind.js';
import type { PostgresDeps } from '../deps.js';
import { COUNT_WAITING, WAITING_KINDS } from '../sql/waiting.js';

export function waitingKinds({ read }: PostgresDeps): Promise<readonly WaitingKind[]> {
  return read(async (sql) => decodeKinds(await sql.all<KindRow>(WAITING_KINDS, { limit: KINDS_LISTED })));
}

export function countWaiting({ read }: PostgresDeps, kind: WaitingKind): Promise<WaitingCount | null> {
  return read(async (sql) => waitingCount(await sql.get<CountRow>(COUNT_WAITING, kindParams(kind))));
}
