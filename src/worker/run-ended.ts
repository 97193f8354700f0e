import type { RunEvent } from '../domain/events.js';
import type { Job } from '../domain/job.js';
import { type JobNeeds, withoutWorktrees } from '../domain/job-needs.js';
import type { DiscardedResult, RunEnd, RunWrite, StepRow } from '../domain/journal.js';
import { keptSessions } from '../domain/kept-sessions.js';
import { endEvent } from '../domain/reported-end.js';
import type { Wait } from '../domain/wait.js';
import { eventIdsOf, stepIdOf } from '../engine/derive.js';

/** The place of an event that a claim writes of the run itself, beside those of its steps. */
const ownEventId = ({ id, attempt }: Job, place: number): string =>
  eventIdsOf({ jobId: id, stepId: stepIdOf(id, 'run'), attempt })(place);

/**
 * The write that lets go of a run until people have decided. `error` names all that it waits for,
 * in call order.
 */
export function runParkedWrite(
  job: Job,
  park: {
    readonly waits: readonly Wait[];
    readonly autoResume: boolean;
    readonly atMs: number;
    readonly needs?: JobNeeds;
  },
): Extract<RunWrite, { op: 'run.parked' }> {
  const waitingOn = park.waits.map((wait) => wait.id);
  const error = `awaiting review: ${park.waits.map((wait) => wait.text).join('; ')}`;
  const event: RunEvent = {
    type: 'run.parked',
    // The claim parks once, and may end once more when the store did not take the park: hence
    // another place.
    eventId: ownEventId(job, 1),
    timestamp: new Date(park.atMs).toISOString(),
    topologyId: job.topology,
    agentId: null,
    skillId: null,
    stepKey: null,
    payload: { waiting_on: waitingOn, error },
  };
  const parts = { waitingOn, error, autoResume: park.autoResume, ...remoteOf(park), ...changedNeeds(park) };
  return { op: 'run.parked', ...parts, events: [event] };
}

const changedNeeds = ({ needs }: { readonly needs?: JobNeeds }): { readonly needs?: JobNeeds } =>
  needs === undefined ? {} : { needs };

/**
 * What a run needs that parks: the directories in which its sessions wait. Absent: what it needed
 * before.
 */
export function parkedNeeds(needs: JobNeeds, rows: readonly StepRow[]): { readonly needs?: JobNeeds } {
  const homes: Readonly<Record<string, string>> = Object.assign({}, ...keptSessions(rows).map(({ home }) => home));
  const [now, before] = [Object.keys(homes), Object.keys(needs.worktrees ?? {})].map((ids) => ids.sort().join());
  if (now === before) return {};
  return { needs: { ...withoutWorktrees(needs), ...(now === '' ? {} : { worktrees: homes }) } };
}

/**
 * A run that waits for other runs is looked at again at the latest then; what it waits for wakes it
 * before.
 */
const LOOK_AGAIN_MS = 5 * 60_000;

/**
 * The write that lets go of a run until one of the runs that it asked for has come to rest, or a
 * provider may be up again; nobody is told, because nobody has to act.
 */
export function runWaitingWrite(park: {
  readonly waits: readonly Wait[];
  readonly needs?: JobNeeds;
}): Extract<RunWrite, { op: 'run.parked' }> {
  const waitingOn = park.waits.map((wait) => wait.id);
  const wakeAfterMs = wakeMs(park.waits.map((wait) => ({ ...wait, ms: wait.wakeAfterMs ?? LOOK_AGAIN_MS })));
  const parts = { waitingOn, error: '', autoResume: true, wakeAfterMs, ...remoteOf(park), ...changedNeeds(park) };
  return { op: 'run.parked', ...parts, events: [] };
}

function remoteOf({ waits }: { readonly waits: readonly Wait[] }): { readonly remote?: readonly string[] } {
  const remote = waits.flatMap((wait) => wait.remote ?? []);
  return remote.length === 0 ? {} : { remote };
}

/** The last write of a claim that does not park: the final columns, and the event of the end. */
export function runEndedWrite(
  job: Job,
  end: RunEnd,
  discard: readonly DiscardedResult[] = [],
): Extract<RunWrite, { op: 'run.ended' }> {
  const event = endEvent(end, {
    eventId: ownEventId(job, 0),
    timestamp: end.endedAt,
    topologyId: job.topology,
  });
  // A stopped run can go on, and needs what it has.
  return {
    op: 'run.ended',
    end,
    events: [event],
    ...(end.status === 'stopped' || discard.length === 0 ? {} : { discard }),
  };
}

/** Milliseconds of a rest; null = the run waits for something else than a provider. */
export function restMsOf(waits: readonly Wait[]): number | null {
  const all = waits.map(({ wakeAfterMs }) => wakeAfterMs);
  if (all.length === 0 || all.some((ms) => ms === undefined)) return null;
  return wakeMs(waits.map((wait) => ({ ...wait, ms: wait.wakeAfterMs ?? 0 })));
}

/**
 * What is down is looked at once all of it may be up; the time of a call elsewhere is over for that
 * call alone.
 */
function wakeMs(waits: readonly (Wait & { readonly ms: number })[]): number {
  const [remote, others] = [waits.filter(isRemote), waits.filter((wait) => !isRemote(wait))];
  const latest = others.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...others.map(({ ms }) => ms));
  return Math.min(latest, ...remote.map(({ ms }) => ms));
}

const isRemote = ({ remote }: Wait): boolean => remote !== undefined;
