import { KitError } from '../../domain/errors.js';
import type { Stores, WorkerHost } from '../../domain/ports/stores.js';
import type { Clock, Ids } from '../../domain/ports/system.js';
import type { ReviewApp } from './review-app.js';

/** Real parts behind the use cases. */
export interface ReviewDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly host: WorkerHost;
  /** Opens the store of a workspace without reading its YAML; null when it has none yet. Throws KIT_WORKSPACE_NOT_FOUND. */
  readonly openStores: (workspace: string) => Promise<Stores | null>;
}

/** Looking at gates and deciding them, over parts that `boot` hands in. */
export function createReviewApp(_deps: ReviewDeps): ReviewApp {
  const soon = async (): Promise<never> => {
    throw new KitError('KIT_NOT_YET', 'reviews are not there yet');
  };
  return {
    list: soon,
    show: soon,
    gate: soon,
    openGates: soon,
    resolve: soon,
    answer: soon,
    inbox: soon,
    inboxItem: soon,
    simulate: soon,
    why: soon,
  };
}
