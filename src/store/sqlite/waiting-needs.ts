import type { JobNeeds } from '../../domain/job-needs.js';
import { all, get, type Program } from '../program.js';
import { decodeNeeds, KINDS_LISTED, type KindRow, type NeedsRow } from '../waiting-kind.js';
import { DUE_NEEDS, NEXT_CLASS, NEXT_ENGINE, NEXT_NEEDS } from './sql/waiting.js';

/** Before every kind that there is: engines count from 1. */
const BEFORE_ALL: KindRow = { engine: 0, job_class: '', needs: '' };

/** What waits for a claim, each kind once. */
export function* waitingKinds(): Program<readonly KindRow[]> {
  const rows: KindRow[] = [];
  for (
    let row = yield* nextKind(BEFORE_ALL);
    row !== undefined && rows.length < KINDS_LISTED;
    row = yield* nextKind(row)
  )
    rows.push(row);
  return rows;
}

/** The needs of all that a claim may find, now or when it is due. */
export function* waitingNeeds(): Program<readonly NeedsRow[]> {
  return [...(yield* waitingKinds()), ...(yield* all<NeedsRow>(DUE_NEEDS, { limit: KINDS_LISTED }))];
}

/** The same, decoded. */
export function* readNeeds(): Program<readonly JobNeeds[]> {
  return decodeNeeds(yield* waitingNeeds());
}

function* nextKind({ engine, job_class: jobClass, needs }: KindRow): Program<KindRow | undefined> {
  return (
    (yield* get<KindRow>(NEXT_NEEDS, { engine, jobClass, needs })) ??
    (yield* get<KindRow>(NEXT_CLASS, { engine, jobClass })) ??
    (yield* get<KindRow>(NEXT_ENGINE, { engine }))
  );
}
