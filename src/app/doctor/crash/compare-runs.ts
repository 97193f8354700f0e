import type { StoredEvent } from '../../../domain/events.js';
import type { StepRow } from '../../../domain/journal.js';

/** Everything that is durable about one run after its last process. */
export interface RunRecord {
  readonly status: string;
  readonly reason: string | null;
  readonly output: string | null;
  readonly steps: readonly Pick<StepRow, 'key' | 'kind' | 'identity' | 'outcome'>[];
  readonly events: readonly Pick<
    StoredEvent,
    'eventId' | 'type' | 'agentId' | 'skillId' | 'stepKey' | 'seq' | 'prevHash' | 'hash'
  >[];
  /** Who decided what about which bytes, one text a decision. */
  readonly decisions: readonly string[];
}

/** An event that was shown to somebody: from then on it has to be there. */
export interface ShownEvent {
  readonly eventId: string;
  readonly hash: string;
}

/** What a kill came to. */
export interface CrashVerdict {
  /** What is wrong, in sentences; empty = the run came to the same end. */
  readonly violations: readonly string[];
  /** Steps that were made again. */
  readonly repeated: number;
  /** Events that were shown before the kill and are gone or changed. */
  readonly lost: number;
}

/** Written for each episode, or about a repetition: all other events are the same in every run. */
const EPISODIC = ['step.repeated', 'run.parked', 'run.resumed', 'run.ended'];

/** Compares a run whose process was killed with one that nobody killed. */
export function compareRuns(run: RunRecord, reference: RunRecord, shown: readonly ShownEvent[]): CrashVerdict {
  const hashes = new Map(run.events.map((event) => [event.eventId, event.hash]));
  const gone = shown.filter(({ eventId, hash }) => hashes.get(eventId) !== hash);
  const ended = ({ status, reason, output }: RunRecord): string => JSON.stringify([status, reason, output]);
  return {
    lost: gone.length,
    repeated: run.events.filter(({ type }) => type === 'step.repeated').length,
    violations: [
      ...gone.map(({ eventId }) => `event ${eventId} was shown and is gone or changed`),
      ...(ended(run) === ended(reference) ? [] : [`it ended with ${ended(run)} instead of ${ended(reference)}`]),
      ...differences('step', stepsOf(run), stepsOf(reference)),
      ...differences('event', eventsOf(run), eventsOf(reference)),
      ...differences('decision', run.decisions, reference.decisions),
      ...brokenEpisodes(run.events.map(({ type }) => type)),
      ...brokenChain(run.events),
    ],
  };
}

const stepsOf = ({ steps }: RunRecord): readonly string[] =>
  steps.map(({ key, kind, identity, outcome }) => `${key} ${kind} ${identity} ${JSON.stringify(outcome)}`);

const eventsOf = ({ events }: RunRecord): readonly string[] =>
  events.filter(isSteady).map(({ type, agentId, skillId, stepKey }) => `${type} ${agentId} ${skillId} ${stepKey}`);

/** An event that every run has, however often it was cut off. */
export const isSteady = ({ type }: { readonly type: string }): boolean => !EPISODIC.includes(type);

/** Exactly one `run.ended` or `run.parked` for each time the run was set going. */
export function brokenEpisodes(types: readonly string[]): readonly string[] {
  const marks = types.filter((type) => ['run.started', 'run.resumed', 'run.parked', 'run.ended'].includes(type));
  const isRight =
    marks.length % 2 === 0 &&
    marks.every((type, index) =>
      index % 2 === 1
        ? type === 'run.ended' || type === 'run.parked'
        : type === (index === 0 ? 'run.started' : 'run.resumed'),
    );
  return isRight ? [] : [`the episodes of the run are ${marks.join(' ')}`];
}

/** Numbers and digests of the events of one run have no hole. */
export function brokenChain(
  events: readonly { readonly seq: number; readonly prevHash: string; readonly hash: string }[],
): readonly string[] {
  return events.flatMap((event, index) => {
    const isRight = event.seq === index + 1 && event.prevHash === (events[index - 1]?.hash ?? '');
    return isRight ? [] : [`event ${event.seq} does not follow the one before it`];
  });
}

/** What is there more or less often than it should be. */
export function differences(what: string, actual: readonly string[], expected: readonly string[]): readonly string[] {
  const [found, wanted] = [countBy(actual), countBy(expected)];
  return [...new Set([...found.keys(), ...wanted.keys()])].flatMap((one) =>
    found.get(one) === wanted.get(one)
      ? []
      : [`${what} ${one}: ${found.get(one) ?? 0} times instead of ${wanted.get(one) ?? 0}`],
  );
}

/** How often each text is there. */
export function countBy(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
