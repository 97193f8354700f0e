/**
 * What one constituent of a composed skill answered; null = it failed or was denied, or said no
 * verdict, and casts no vote.
 */
export type Vote = {
  /** Id of the skill. */
  readonly skill: string;
  readonly verdict: 'pass' | 'fail' | 'needs-revision';
  /** 0..1. */
  readonly confidence: number;
  readonly reasoning: string;
} | null;

/** What a panel comes to. `confidence`: 0..1. */
export interface PanelVerdict {
  readonly verdict: 'pass' | 'fail' | 'needs-revision';
  readonly confidence: number;
  readonly reasoning: string;
}

/**
 * How a composed skill comes to its verdict; the instance behind the point `skillStrategies`. Pure:
 * it is asked again on a replay.
 */
export interface SkillStrategy {
  /**
   * Constituents are asked one after another, and no more of them once this is true; absent: side
   * by side.
   */
  isSettled?(votes: readonly Vote[]): boolean;
  /** One verdict of the votes, in the order of `composes`; as many as were asked. */
  decide(votes: readonly Vote[]): PanelVerdict;
}
