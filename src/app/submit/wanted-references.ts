import type { JobNeeds } from '../../domain/job-needs.js';
import type { FindReferences } from '../../domain/ports/references.js';
import type { RunSnapshot } from '../../domain/snapshot.js';
import { referencesOf } from './references-of.js';

/** Where a run is executed, and what is there of what it refers to. */
export interface ReferenceDeps {
  readonly findReferences: FindReferences;
  /** Default `here`. */
  readonly mode?: PrepareMode;
}

/**
 * What a run is prepared for. `here`: this machine executes it. `plan`: nobody does, and no input
 * was given to check. `queued`: another machine does, with keys and credential sources of its own.
 * `replay`: no credential is resolved, so a source that nothing here brings is no reason to refuse.
 */
type PrepareMode = 'here' | 'plan' | 'queued' | 'replay';

/**
 * What a run needs of all that it refers to, with who uses it. Where another machine executes the
 * run, that is all of it. Here it is what is here at its start: without the rest it begins as it
 * would go on. A replay refers to nothing.
 */
export async function wantedReferences(
  deps: ReferenceDeps,
  snapshot: RunSnapshot,
): Promise<NonNullable<JobNeeds['references']>> {
  const { mode = 'here', findReferences } = deps;
  switch (mode) {
    case 'replay':
      return {};
    case 'queued':
      return referencesOf(snapshot);
    case 'here':
    case 'plan': {
      const references = referencesOf(snapshot);
      const found = new Set(await findReferences(Object.keys(references)));
      return Object.fromEntries(Object.entries(references).filter(([reference]) => found.has(reference)));
    }
  }
}
