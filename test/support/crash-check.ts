import {
  brokenChain,
  brokenEpisodes,
  countBy,
  differences,
  isSteady,
} from '../../src/app/doctor/crash/compare-runs.js';
import type { Effect, Ended, Row, Sight } from './crash-case.js';

/** A whole run, from its first process to its last. */
export interface CrashedRun {
  /** What lay there after each kill, in order, and the process that was killed. */
  readonly kills: readonly { readonly pid: number; readonly left: Sight }[];
  readonly last: Ended;
  readonly final: Sight;
}

export interface Verdict {
  /** What is wrong, in sentences; empty = nothing. */
  readonly violations: readonly string[];
  /** Effects that were executed a second time. */
  readonly repeated: readonly string[];
  /**
   * Effects that had begun and were neither acknowledged nor recorded when their process was
   * killed.
   */
  readonly inFlight: readonly string[];
}

/**
 * Compares a run that was killed with one that was not. Looks at the database, the outside counts
 * and what was acknowledged.
 */
export function checkRun(run: CrashedRun, reference: CrashedRun): Verdict {
  const { final, kills } = run;
  const inFlight = kills.flatMap(({ pid, left }) => inFlightAt(left, begunBy(pid, final)));
  const counts = countBy(final.effects.map((effect) => effect.stepId));
  const repeated = [...counts].flatMap(([stepId, count]) => Array.from({ length: count - 1 }, () => stepId));
  return {
    inFlight,
    repeated,
    violations: [
      ...kills.flatMap(({ pid, left }) => [...checkLeft(left, begunBy(pid, final)), ...checkKept(left, final)]),
      ...checkEffects(run, { counts, inFlight }),
      ...checkResult(run, reference),
      ...checkSameEffects(final, reference.final),
      ...checkEpisodes(final),
      ...checkChain(final),
    ],
  };
}

/**
 * By the worker whose child told it: a command may begin in the last moment of its worker, just
 * before its supervisor ends it.
 */
const begunBy = (pid: number, final: Sight): readonly Effect[] =>
  final.effects.filter((effect) => effect.workerPid === pid);

function inFlightAt(left: Sight, begun: readonly Effect[]): readonly string[] {
  return [...new Set(begun.map((effect) => effect.stepId))].filter((stepId) => {
    const row = left.steps.find((step) => step.step_id === stepId);
    return row === undefined || (!isEnded(row) && !left.ackedEnds.has(String(row.key)));
  });
}

const isEnded = (row: Row): boolean => row.outcome !== null || row.outcome_sha256 !== null;

/**
 * At the kill: what was acknowledged is durable, and nothing outside began before its `started`
 * was.
 */
function checkLeft(left: Sight, begun: readonly Effect[]): readonly string[] {
  const eventIds = new Set(left.events.map((event) => event.event_id));
  const ended = new Set(left.steps.filter(isEnded).map((step) => step.key));
  const stepIds = new Set(left.steps.map((step) => step.step_id));
  return [
    ...[...left.ackedEvents]
      .filter((id) => !eventIds.has(id))
      .map((id) => `event ${id} was acknowledged and is not in the log`),
    ...[...left.ackedEnds]
      .filter((key) => !ended.has(key))
      .map((key) => `the result of ${key} was acknowledged and is not in the journal`),
    ...begun
      .filter((effect) => !stepIds.has(effect.stepId))
      .map((effect) => `the effect ${effect.name} began before its step was durable`),
  ];
}

/** Committed events are there for ever, value for value; a recorded result never changes. */
function checkKept(left: Sight, final: Sight): readonly string[] {
  return [
    ...changedRows(left.events, final.events).map(
      (row) => `a committed event is gone or changed: ${JSON.stringify(row).slice(0, 300)}`,
    ),
    ...changedRows(left.steps.filter(isEnded), final.steps).map(
      (step) => `the record of ${step.key} is gone or changed`,
    ),
  ];
}

/**
 * Rows whose place now holds something else. A migration in between may have added columns, and
 * nothing more.
 */
export function changedRows(before: readonly Row[], after: readonly Row[]): readonly Row[] {
  const places = new Map(after.map((row) => [row.pos ?? row.ord, row]));
  return before.filter((row) => {
    const now = places.get(row.pos ?? row.ord);
    return now === undefined || Object.entries(row).some(([column, value]) => now[column] !== value);
  });
}

function checkEffects(
  run: CrashedRun,
  of: { readonly counts: ReadonlyMap<string, number>; readonly inFlight: readonly string[] },
): readonly string[] {
  const { final } = run;
  const kills = countBy(of.inFlight);
  const repeats = final.events.filter((event) => event.type === 'step.repeated');
  const reports = countBy(
    repeats.map((event) => String((JSON.parse(String(event.payload)) as { step_id: string }).step_id)),
  );
  return [...of.counts].flatMap(([stepId, count]) => {
    const name = final.effects.find((effect) => effect.stepId === stepId)?.name ?? '?';
    const again = count - 1;
    const allowed = kills.get(stepId) ?? 0;
    const reported = reports.get(stepId) ?? 0;
    return [
      ...(again > allowed
        ? [`${name} (${stepId}) was executed ${count} times, and was in flight at ${allowed} kills`]
        : []),
      ...(again > reported
        ? [`${name} (${stepId}) was executed ${count} times, and step.repeated says ${reported}`]
        : []),
    ];
  });
}

function checkResult(run: CrashedRun, reference: CrashedRun): readonly string[] {
  const { report, stderr, code } = run.last;
  const expected = reference.last.report;
  if (report?.kind !== 'ended' || expected?.kind !== 'ended')
    return [`the last process did not finish the run: ${code} ${JSON.stringify(report)} ${stderr}`];
  const result = (of: typeof report) =>
    JSON.stringify([of.status, of.reason, of.output, of.diffs, of.replayed, roundedUsage(of.usage)]);
  const job = run.final.jobs.find(({ id }) => id === report.jobId);
  return [
    ...(result(report) === result(expected)
      ? []
      : [`the result differs: ${result(report)} instead of ${result(expected)}`]),
    ...(job?.status === expected.status && job.output === expected.output
      ? []
      : ['the job row differs from what was reported']),
    // The reference of a recorded journal holds no rows of jobs.
    ...(reference.final.jobs.length === 0 ? [] : differences('run', runsOf(run.final), runsOf(reference.final))),
    ...differences('step', stepsOf(run.final), stepsOf(reference.final)),
    ...checkEvents(run.final, reference.final),
    ...differences('decision', decisionsOf(run.final), decisionsOf(reference.final)),
  ];
}

/** The run and those that it has asked for: as many as without a kill, ended alike. */
const runsOf = (sight: Sight): readonly string[] =>
  sight.jobs.map((job) => `${job.id} ${job.topology} ${job.status} ${job.output}`);

/** What people decided, in any order: kept over every restart, made once. */
function decisionsOf(sight: Sight): readonly string[] {
  return (sight.text?.decisions ?? []).map((line) => {
    const row = JSON.parse(line) as Row;
    return [row.item_id, row.identity, row.outcome, row.sha256, row.stale].join(' ');
  });
}

/** Sums of floats depend on their order in the last digits. */
function roundedUsage(usage: { readonly costUsd: number | null } | null): unknown {
  return usage === null ? null : { ...usage, costUsd: usage.costUsd === null ? null : usage.costUsd.toFixed(9) };
}

const stepsOf = (sight: Sight): readonly string[] =>
  sight.steps.map((step) => `${step.key} ${step.kind} ${step.identity} ${step.outcome}`);

/**
 * Each event as often as in the run that was not killed; only the session of a harness that was
 * repeated tells its events again.
 */
function checkEvents(final: Sight, reference: Sight): readonly string[] {
  const named = (sight: Sight): readonly string[] =>
    sight.events
      // Killed before a wait was recorded, the step is begun anew, and may not have to wait.
      .filter(({ type }) => isSteady({ type: String(type) }) && type !== 'step.waiting')
      .map((event) => `${event.type} ${event.agent_id} ${event.skill_id} ${event.step_key}`);
  const again = new Set(final.events.flatMap((event) => (event.type === 'step.repeated' ? [event.step_key] : [])));
  const mayRepeat = (event: string): boolean =>
    /^executor\.(started|message|tool_call) /.test(event) && [...again].some((key) => event.endsWith(` ${key}`));
  const once = (events: readonly string[]): readonly string[] => [
    ...new Set(events.filter(mayRepeat)),
    ...events.filter((event) => !mayRepeat(event)),
  ];
  return differences('event', once(named(final)), once(named(reference)));
}

function checkSameEffects(final: Sight, reference: Sight): readonly string[] {
  const named = (sight: Sight): readonly string[] => [
    ...new Set(sight.effects.map((effect) => `${effect.stepId} ${effect.name}`)),
  ];
  return differences('effect', named(final), named(reference));
}

/** The run first, then those that it has asked for. */
const byRun = ({ events }: Sight): readonly (readonly Row[])[] => [
  ...Map.groupBy(events, (event) => event.job_id ?? event.run).values(),
];

const checkEpisodes = (sight: Sight): readonly string[] =>
  byRun(sight).flatMap((events) => brokenEpisodes(events.map(({ type }) => String(type))));

const checkChain = (sight: Sight): readonly string[] =>
  byRun(sight).flatMap((events) =>
    brokenChain(
      events.map(({ seq, prev_hash, hash }) => ({ seq: Number(seq), prevHash: String(prev_hash), hash: String(hash) })),
    ),
  );
