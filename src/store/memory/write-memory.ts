import type {
  Memory,
  MemoryCandidate,
  MemoryDecision,
  MemoryOp,
  MemoryReader,
  MemoryWrite,
  MemoryWritten,
  QuarantinedMemory,
  ResolveMemory,
} from '../../domain/ports/memory.js';
import { sha256Hex } from '../../lib/sha256.js';
import { all, get, type Program, run } from '../program.js';
import {
  type ChangeRecord,
  decodeQuarantine,
  indexedWords,
  MEMORIES,
  type MemoryRecord,
  memoryChanged,
  memoryDecided,
  memoryIdOf,
  memoryUnknown,
  ownSpace,
  type QuarantineRecord,
  SHARED,
  spaceOf,
} from './memory-row.js';
import type { MemorySql } from './memory-sql.js';

const keyOf = ({ subject, attribute }: MemoryCandidate): string => `${subject}/${attribute}`;
/**
 * The same contradiction is quarantined once: what was rejected is not asked about again while the
 * entry says what it said.
 */
const idOfQuarantined = (id: string, current: Memory, candidate: MemoryCandidate): string =>
  sha256Hex(JSON.stringify([id, current.value, candidate.value])).slice(0, 12);
const hasChanged = (op: MemoryOp): boolean => op === 'new' || op === 'update' || op === 'refine';

/** `MemoryStore.write`. */
export function* writeMemories(sql: MemorySql, write: MemoryWrite, now: string): Program<readonly MemoryWritten[]> {
  const written: MemoryWritten[] = [];
  for (const [index, candidate] of write.candidates.entries()) {
    const writeId = `${write.writeId}/${index}`;
    const before = yield* get<ChangeRecord>(sql.WRITTEN, { writeId });
    if (before === undefined) written.push(yield* writeOne(sql, { write, candidate, writeId, now }));
    // The cast: the column is written from the union, and by nobody else.
    else written.push(writtenOf(before.op as MemoryOp, candidate, before.quarantine));
  }
  return written;
}

const writtenOf = (op: MemoryOp, candidate: MemoryCandidate, quarantineId: string | null): MemoryWritten => ({
  op,
  key: keyOf(candidate),
  changed: hasChanged(op),
  quarantineId,
});

interface One {
  readonly write: MemoryWrite;
  readonly candidate: MemoryCandidate;
  readonly writeId: string;
  readonly now: string;
}

function* writeOne(sql: MemorySql, one: One): Program<MemoryWritten> {
  const { write, candidate, writeId, now } = one;
  const space = spaceOf(write);
  const id = memoryIdOf(space, candidate);
  for (;;) {
    const row = yield* get<MemoryRecord>(sql.GET, { id });
    const current = row === undefined ? null : MEMORIES.decode(row);
    const decision = write.decide(current, candidate);
    // Somebody wrote the same key since it was looked for: it is decided about again.
    if (current === null && !(yield* addMemory(sql, { ...one, decision, space, id }))) continue;
    if (current !== null) yield* changeMemory(sql, { ...one, decision, current, space });
    const quarantine =
      current !== null && decision.op === 'contradict' ? idOfQuarantined(id, current, candidate) : null;
    if (quarantine !== null)
      yield* run(sql.INSERT_QUARANTINED, {
        quarantine,
        space,
        id,
        owner: write.owner,
        candidate: JSON.stringify(candidate),
        current: current?.value ?? '',
        reason: decision.reason,
        now,
      });
    const op = current === null ? 'new' : decision.op;
    yield* run(sql.LOG, {
      id,
      writeId,
      op,
      before: current?.value ?? null,
      after: op === 'contradict' ? candidate.value : decision.value,
      reason: decision.reason,
      decidedBy: write.origin === 'person' ? write.owner : 'run',
      quarantine,
      now,
    });
    return writtenOf(op, candidate, quarantine);
  }
}

interface Decided extends One {
  readonly decision: MemoryDecision;
  readonly space: string;
}

function* addMemory(
  sql: MemorySql,
  { write, candidate, decision, space, id, now }: Decided & { readonly id: string },
): Program<boolean> {
  const { owner, origin, session, jobId } = write;
  const { subject, attribute, type, source } = candidate;
  const { value, confidence } = decision;
  const added = yield* run(sql.ADD, {
    id,
    space,
    subject,
    attribute,
    value,
    type,
    confidence,
    origin,
    owner,
    source,
    session,
    jobId,
    now,
  });
  if (added === 0) return false;
  yield* run(sql.ADD_WORDS, { space, id, words: indexedWords({ subject, attribute, value }) });
  return true;
}

function* changeMemory(
  sql: MemorySql,
  { write, candidate, decision, current, space, now }: Decided & { readonly current: Memory },
): Program<void> {
  const { id } = current;
  // Words that somebody puts into an entry of people are theirs, not those of whoever wrote it
  // first.
  const { origin, owner } = space === SHARED ? write : current;
  const { value, confidence } = decision;
  if (decision.op === 'reinforce') yield* run(sql.REINFORCE, { id, confidence, now });
  if (!hasChanged(decision.op)) return;
  const { type, source } = candidate;
  const { session, jobId } = write;
  yield* run(sql.CHANGE, { id, value, confidence, type, source, session, jobId, origin, owner, now });
  yield* run(sql.DROP_WORDS, { id });
  yield* run(sql.ADD_WORDS, { space, id, words: indexedWords({ ...current, value }) });
}

/** `MemoryStore.resolve`. */
export function* resolveMemory(
  sql: MemorySql,
  ask: { readonly reader: MemoryReader; readonly decision: ResolveMemory },
  now: string,
): Program<QuarantinedMemory> {
  const { reader, decision } = ask;
  const { id: prefix, accept, by, comment } = decision;
  const found =
    prefix === '' ? [] : yield* all<QuarantineRecord>(sql.FIND_QUARANTINED, { own: ownSpace(reader.owner), prefix });
  const [row] = found;
  if (row === undefined || found.length > 1)
    throw memoryUnknown(
      prefix,
      found.map(({ id }) => id),
    );
  const quarantined = decodeQuarantine(row);
  if (quarantined.status !== 'pending') throw memoryDecided(quarantined);
  const status = accept ? 'accepted' : 'rejected';
  yield* run(sql.DECIDE_QUARANTINED, { quarantine: quarantined.id, status, by, comment, now });
  if (accept) yield* acceptMemory(sql, { row, quarantined, by, now });
  return { ...quarantined, status, resolvedAt: now, resolvedBy: by, comment };
}

function* acceptMemory(
  sql: MemorySql,
  {
    row,
    quarantined,
    by,
    now,
  }: {
    readonly row: QuarantineRecord;
    readonly quarantined: QuarantinedMemory;
    readonly by: string;
    readonly now: string;
  },
): Program<void> {
  const { memory: id, space } = row;
  const current = yield* get<MemoryRecord>(sql.GET, { id });
  if (current === undefined) throw memoryUnknown(quarantined.id, []);
  if (current.value !== quarantined.currentValue) throw memoryChanged(quarantined);
  const { value, confidence, type, source } = quarantined.candidate;
  // What a curator accepts of people's knowledge is the curator's word; what is one's own stays
  // one's own.
  const [origin, owner] = space === SHARED ? ['curator', by] : [current.origin, current.owner];
  yield* run(sql.CHANGE, {
    id,
    value,
    confidence,
    type,
    source,
    session: current.session,
    jobId: current.job_id,
    origin,
    owner,
    now,
  });
  yield* run(sql.DROP_WORDS, { id });
  yield* run(sql.ADD_WORDS, { space, id, words: indexedWords({ ...current, value }) });
  const reason = 'a person accepted it';
  yield* run(sql.LOG, {
    id,
    writeId: `resolve/${quarantined.id}`,
    op: 'update',
    before: current.value,
    after: value,
    reason,
    decidedBy: by,
    quarantine: quarantined.id,
    now,
  });
}
