/**
 * `planning` of the workspace with the topology's keys over it, defaults last
 * (docs/design/workspace.md#merging). Plain JSON; absent where neither it nor an active `synthesis`
 * is written.
 */
export interface Planning {
  /** Leaders create a scope before anything is synthesised. */
  readonly scopeRequired: boolean;
  /** Research tasks alone until there is a scope. */
  readonly twoPhase: boolean;
  /** Agents whose tasks run last; `self` first. */
  readonly synthesisRoles: readonly string[];
  /** Name under which the automatic synthesis is traced. */
  readonly synthesizerRole: string;
}

/** Under this name a snapshot holds the model of the synthesis; no agent id contains a colon. */
export const SYNTHESIS_MODEL = 'role:synthesis';

/**
 * `synthesis`: one large call that receives all results of a plan, in place of the leader's own
 * answer. Active only where a model results.
 */
export interface Synthesis {
  readonly provider: string | null;
  readonly model: string;
  readonly prompt: string | null;
}
