/** What one constituent of a composed skill answered; null = it failed or was denied, and casts no vote. */
export type Vote = {
  readonly skill: string;
  readonly verdict: 'pass' | 'fail' | 'needs-revision';
  readonly confidence: number;
  readonly reasoning: string;
} | null;

/** How a composed skill comes to its verdict; the instance behind the point `skillStrategies`. Pure: it is asked again on a replay. */
export interface SkillStrategy {
  /** Constituents are asked one after another, and no more of them once this is true; absent: side by side. */
  readonly isSettled?: (votes: readonly Vote[]) => boolean;
  decide(votes: readonly Vote[]): { readonly verdict: 'pass' | 'fail' | 'needs-revision'; readonly confidence: number; readonly reasoning: string };
}
