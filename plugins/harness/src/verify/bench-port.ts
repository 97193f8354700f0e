import type { JsonObject } from '@kit-run/kit/plugin';
import type { VerifiedProgram } from './programs.js';

/** What came of one case. `lost`: what kit says of the program does not hold. */
export interface CaseResult {
  readonly name: string;
  readonly result: 'ok' | 'lost' | 'none';
  /** What was seen, in words. */
  readonly seen: string;
}

/** How one run of a case is set up. */
export interface RunOf {
  readonly config: JsonObject;
  readonly outputSchema?: JsonObject;
  /** The agent has the skill of the bench, `remark`. */
  readonly hasSkill?: boolean;
  /** What the program prints is kept for `raw`. Default false. */
  readonly isTeed?: boolean;
}

/** A run that goes on while the case looks at it. */
export interface Running {
  /** Ends kit as a power cut does. */
  kill(): void;
  /** Ctrl-C. */
  interrupt(): void;
  ended(): Promise<Ended>;
  /** Its process is gone, whatever it said. */
  gone(): Promise<void>;
}

/** One workspace of kit in which the program is run, with everything private to it. */
export interface Bench {
  run(task: string, how: RunOf): Promise<Ended>;
  begin(task: string, how: RunOf): Promise<Running>;
  /** Id of the run that was submitted last. */
  newest(): Promise<string>;
  /** Goes on with a run. */
  resume(run: string): Promise<Ended>;
  /** The open item of a run. */
  item(run: string): Promise<JsonObject | null>;
  /** Approves or rejects the one open item and goes on with the run. */
  decide(run: string, action: 'approve' | 'reject', comment?: string): Promise<Ended>;
  diff(run: string): Promise<string>;
  events(run: string, type: string): Promise<readonly JsonObject[]>;
  /** What the programs of runs with `isTeed` have printed since the last of them began. */
  raw(): Promise<string>;
  /** Commits files to the repository. */
  commit(files: Readonly<Record<string, string>>): Promise<void>;
  /** Processes of the bench; null where the system does not tell. */
  processes(): Promise<readonly number[] | null>;
  /** Answers of the model since the last call. */
  takeCount(): number;
  /** Whether the model has been told this since then. */
  hasHeard(words: string): boolean;
  /** A turn that is never answered has been reached. */
  whenHanging(): Promise<void>;
  /** What the program says of itself; null: it is not there. */
  version(): Promise<string | null>;
}

/** A run as `kit run --json` tells it at its end. */
export interface Ended {
  readonly id: string;
  readonly status: string;
  readonly output: string;
  readonly reason: string;
  /** Null: unknown. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
}

export interface CaseOf {
  readonly program: VerifiedProgram;
  readonly bench: Bench;
}

export type Case = (of: CaseOf) => Promise<Omit<CaseResult, 'name'>>;
