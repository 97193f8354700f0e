import type { TrustRow } from '../../govern/harness/accrual.js';

export type { TrustRow } from '../../govern/harness/accrual.js';

/** Which counter, of which workspace. */
export interface TrustAsk {
  /** Absolute directory of the workspace. */
  readonly workspace: string;
  /** As `kit trust list` shows it, or a beginning of it that is unique. */
  readonly id: string;
}

/** A counter, and what applying it would write. */
export interface TrustProposal {
  readonly row: TrustRow;
  /** File of the archetype in the workspace; null: the workspace has no such archetype. */
  readonly path: string | null;
  /** The line that applying it adds. */
  readonly entry: string;
}

/**
 * Approvals of people, counted by archetype and capability. Enough of them propose an entry of
 * `permissions`; nothing is ever applied by itself.
 */
export interface TrustApp {
  /** Proposed ones first, then by archetype. Throws KIT_WORKSPACE_NOT_FOUND. */
  list(ask: { readonly workspace: string }): Promise<readonly TrustRow[]>;
  /** Throws KIT_USAGE for an id that names none or several. */
  show(ask: TrustAsk): Promise<TrustProposal>;
  /**
   * Writes the entry into the archetype, whose comments and layout stay. Throws KIT_USAGE where it
   * is not proposed, or the file is written in a way that nothing can be added to.
   */
  apply(ask: TrustAsk & { readonly by: string }): Promise<TrustProposal>;
  /** Counts anew from 0, and lifts what a denial has blocked. */
  clear(ask: TrustAsk & { readonly by: string }): Promise<TrustRow>;
}
