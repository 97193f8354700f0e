import type { StoredEvent } from '../../domain/events.js';
import type { Job } from '../../domain/job.js';
import type { RunFigures } from '../../domain/run-figures.js';
import type { ReviewRequest } from '../../view/asked.js';
import type { RunView } from '../../view/run-view.js';
import type { SkillGap } from '../../view/skill-gaps.js';
import type { DebugQuery, KeptPrompts, PromptQuery, RunDebug } from './read-debug.js';
import type { RunFilter } from './run-filter.js';
import type { WaitUntil } from './wait-run.js';

/** Which part of the log somebody wants to see. Every filter that is given narrows it. */
export interface LogQuery {
  /** Absolute workspace directory. */
  readonly workspace: string;
  /** Run id or a unique prefix; null = the newest runs. */
  readonly run: string | null;
  /** How many runs, newest first, once `topology` has narrowed them; ignored with `run`. */
  readonly last: number;
  /** `name`, which means every version, or `name@version`. */
  readonly topology: string | null;
  /** Agent id. */
  readonly agent: string | null;
  /** Event types (`skill.gap`) or families of them (`skill`); [] = all. */
  readonly types: readonly string[];
  /** Goes on with what is added until the run has ended or parked. */
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/** One run of a log. */
export interface LoggedRun {
  /** The row when the log was asked for. */
  readonly job: Job;
  /** Every event of the run: a fold needs them all. */
  readonly events: AsyncIterable<StoredEvent>;
  /** True for the events that pass the filters of the query. */
  readonly shows: (event: StoredEvent) => boolean;
}

/** A run with what its events say, folded by the one reducer. */
export interface RunStatus {
  readonly job: Job;
  readonly view: RunView;
  /**
   * Wall time in milliseconds from the first claim to the end, or until now while it runs; waiting
   * for a decision counts. Never a sum over agents. null: nobody has claimed it yet.
   */
  readonly wallMs: number | null;
}

/** A run with its line: see `lineOf`. Absent: nobody looked. */
export interface RunTrace extends RunStatus {
  readonly line?: readonly string[];
}

/** A run of a list, with what it has come to. */
export interface RunSummary extends Pick<RunStatus, 'job' | 'wallMs'> {
  readonly figures: RunFigures;
  /** What the run waits for that is down, in words; null = nothing. */
  readonly outage: string | null;
}

/** Everything that a page about one run shows. */
export interface RunReport extends RunTrace {
  /** The request, and what people are asked about it. */
  readonly asked: ReviewRequest;
  /** In order, at most `MAX_REPORT_EVENTS`. */
  readonly events: readonly StoredEvent[];
  /** Events that the page leaves out. */
  readonly eventsLeftOut: number;
  /** Agent id -> unified diff; null when no harness ran or its results were pruned. */
  readonly diffs: Readonly<Record<string, string>> | null;
}

/** Something that the newest run of a topology had wired and that no run of it ever used. */
export interface InertBinding {
  /** Its name; versions count together. */
  readonly topology: string;
  /** How many runs of it there are: the fewer, the less this says. */
  readonly runs: number;
  readonly agent: string;
  /** A skill that the agent could call and never did; null: the agent itself was never asked. */
  readonly skill: string | null;
}

/**
 * A page of more events is slow to open; the rest is said to be missing. Source: measured, about
 * 850 bytes of HTML an event.
 */
export const MAX_REPORT_EVENTS = 5_000;

/**
 * Looking at runs: what `kit logs|status|trace|report|gaps` and later the HTTP API show. They read
 * the log and the rows alone, so they work while the YAML is broken; runs whose process died are
 * found dead first, as `checkpoints` does. A workspace that never ran anything has no runs, and
 * looking makes no store.
 *
 * All throw KIT_WORKSPACE_NOT_FOUND; those that name a run also KIT_JOB_UNKNOWN,
 * KIT_JOB_ID_AMBIGUOUS.
 */
export interface ObserveApp {
  /**
   * The runs that the query picks, the newest last, as one reads a log. Throws KIT_USAGE for an
   * unknown event type and for following several runs, KIT_FILTER_UNKNOWN for a topology or an
   * agent that no run has.
   */
  logs(query: LogQuery): Promise<readonly LoggedRun[]>;
  /**
   * The newest runs first. `limit` >= 1. Of a run that has ended the row tells all; its log is read
   * where nobody has counted it before.
   */
  status(list: {
    readonly workspace: string;
    readonly limit: number;
    readonly filter?: RunFilter;
  }): Promise<readonly RunSummary[]>;
  /**
   * The run once it has ended or, with `parked`, waits for people or a resume; as it stands where
   * `signal` aborts before.
   */
  wait(ask: {
    readonly workspace: string;
    readonly run: string;
    readonly until: WaitUntil;
    readonly signal: AbortSignal;
  }): Promise<Job>;
  /** One run with every call of every activation (`EMPTY_TRACE`). */
  trace(ask: { readonly workspace: string; readonly run: string }): Promise<RunTrace>;
  report(ask: { readonly workspace: string; readonly run: string }): Promise<RunReport>;
  /**
   * The journal of a run. Throws KIT_FILTER_UNKNOWN for an agent, KIT_STEP_UNKNOWN for a step that
   * it does not have.
   */
  debug(query: DebugQuery): Promise<RunDebug>;
  /**
   * The newest calls of models over all runs. Throws KIT_FILTER_UNKNOWN for an agent that made none
   * of those that are kept.
   */
  prompts(query: PromptQuery): Promise<KeptPrompts>;
  /** Tools that agents called and do not hold, the most frequent first. */
  gaps(list: { readonly workspace: string }): Promise<readonly SkillGap[]>;
  /**
   * What is wired and never fired, by topology in the order of their newest runs, parents before
   * children.
   */
  inert(list: { readonly workspace: string }): Promise<readonly InertBinding[]>;
}
