import type { FaultPoints } from '../domain/faults.js';
import type { Ids, Log } from '../domain/ports/system.js';
import type { OpenArtifactBytes } from './artifact-store.js';
import type { OpenAuditCopy } from './audit/copier.js';
import type { ShowUpgrade } from './migrations.js';

/** What a store is opened with, in either dialect. */
export interface StoreOptions {
  readonly ids: Ids;
  readonly faults: FaultPoints;
  readonly log: Log;
  /**
   * Where bytes of artifacts lie that are not kept in the database (`storage.artifacts`); absent =
   * they are.
   */
  readonly artifactBytes?: OpenArtifactBytes | undefined;
  /** Shows that a large store is brought up to this build; absent = nobody watches. */
  readonly showUpgrade?: ShowUpgrade | undefined;
  /** Makes the copy of the log in another database (`storage.audit`); absent = there is none. */
  readonly audit?: OpenAuditCopy | undefined;
}
