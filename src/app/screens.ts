import type { FleetOverview } from '../view/fleet-overview.js';
import type { ResolvedItem } from './review/decision.js';
import type { ReviewApp } from './review/review-app.js';

/** What `kit top` shows. */
export interface TopOptions {
  readonly read: () => Promise<FleetOverview>;
  /** What `kit why` says of a run or a gate. */
  readonly why: (what: string) => Promise<string>;
  /** Asks a run to stop; answers a sentence that says what becomes of it. */
  readonly stop: (run: string) => Promise<string>;
  /** How the user named the workspace. */
  readonly workspace: string;
  readonly color: boolean;
  /** Between two looks. */
  readonly refreshMs: number;
  /** Ends it from outside. */
  readonly signal: AbortSignal;
}

/** Whose inbox, and what it stands on. */
export interface InboxOptions {
  readonly app: Pick<ReviewApp, 'inbox' | 'inboxItem' | 'resolve' | 'answer'>;
  readonly workspace: string;
  readonly identity: string;
  readonly color: boolean;
  /** Called with each recorded decision; `report` shows what becomes of its run meanwhile. */
  readonly onDecided: (decided: ResolvedItem, report: (text: string) => void) => void;
  /** Between two looks at what other people did; default 2,000. */
  readonly refreshMs?: number;
  /** Ends the inbox from outside. */
  readonly signal: AbortSignal;
}
