import type { DeciderAuth, RecordedDecision, ReviewItem } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';
import type { ArtifactRecord } from '../../domain/ports/artifacts.js';
import type { GateElsewhere } from '../../domain/ports/remote-waits.js';
import type { ReviewRequest } from '../../view/asked.js';
import type { GateDetails } from '../../view/gate-details.js';

/** What the inbox of one person is asked for. */
export interface InboxQuery {
  readonly workspace: string;
  readonly identity: string;
  /** How the entry point knows them; absent: as this machine does. */
  readonly auth?: DeciderAuth;
  /** Why that entry point takes no decision of theirs at all; absent: it does. */
  readonly refused?: string | null;
  /** Rows of a page, 1..200. */
  readonly limit: number;
  /** Goes on after this item; null = from the oldest. */
  readonly afterId: string | null;
}

/** One line of the inbox. */
export interface InboxRow {
  readonly item: ReviewItem;
  /** What is asked; `you` says why this person cannot decide it all the same. */
  readonly asked: ReviewRequest;
  /** Of the item's gate; null for an item that is not a role task. */
  readonly gate: {
    readonly expiresAt: string | null;
    /** Its automated checks did not pass and retries ran out. */
    readonly escalated: boolean;
    readonly judgeScore: number | null;
  } | null;
}

/**
 * A page of what waits for one person: their role tasks, and every item that is not a role task.
 * Oldest first.
 */
export interface InboxPage {
  readonly identity: string;
  /**
   * Roles that the live registry gives this person. Empty: only items that are not role tasks can
   * be theirs.
   */
  readonly roles: readonly string[];
  readonly rows: readonly InboxRow[];
  /** Rows in all pages. */
  readonly total: number;
  readonly hasMore: boolean;
  /**
   * What people elsewhere decide, at most 100, whoever reads; nobody decides it here. Empty on the
   * pages after the first.
   */
  readonly elsewhere: readonly GateElsewhere[];
  /** The store's clock when the page was read, for ages and deadlines. */
  readonly now: string;
}

/** The text that is decided about. */
export interface ArtifactText extends Pick<ArtifactRecord, 'sha256' | 'mediaType' | 'sizeBytes'> {
  /** `<correlation>/<run>/<name>#<12 hex>`. */
  readonly ref: string;
  /** Decoded, as of a list of artifacts. */
  readonly name: string;
  /** Null for bytes that are not UTF-8 text. */
  readonly text: string | null;
}

/** What one person decides about one item from: everything on one screen. */
export interface InboxItem extends InboxRow {
  readonly job: Job;
  readonly details: GateDetails | null;
  /** Null where the item is about no artifact. */
  readonly artifact: ArtifactText | null;
  /** Unified diff that a harness made, as it was judged; null = none. */
  readonly harnessDiff: string | null;
  /**
   * What this person decided last at this gate, and the artifact as it was then: the screen shows
   * what changed since. Null = nothing.
   */
  readonly previous: { readonly decision: RecordedDecision; readonly artifact: ArtifactText } | null;
}
