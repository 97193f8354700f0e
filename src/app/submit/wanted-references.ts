import type { JobNeeds } from '../../domain/job-needs.js';
import type { FindReferences } from '../../domain/ports/references.js';
import type { RunSnapshot } from '../../domain/snapshot.js';
import { referencesOf } from './references-of.js';

/** Where a run is executed, and what is there of what it refers to. */
export interface ReferenceDeps {
  readonly findReferences: FindReferences;
  /**
   * True where another machine executes the run: its keys and credential sources are that
   * machine's. Default false.
   */
  readonly isElsewhere?: boolean;
  /**
   * True for a replay: no credential is resolved, so a source that nothing here brings is no reason
   * to refuse. Default false.
   */
  readonly callsNobody?: boolean;
}

/**
 * What a run needs of all that it refers to, with who uses it. Where another machine executes the
 * run, that is all of it. Here it is what is here at its start: without the rest it begins as it
 * would go on. A replay refers to nothing.
 */
export async function wantedReferences(
  deps: ReferenceDeps,
  snapshot: RunSnapshot,
): Promise<NonNullable<JobNeeds['references']>> {
  if (deps.callsNobody === true) return {};
  const references = referencesOf(snapshot);
  if (deps.isElsewhere === true) return references;
  const found = new Set(await deps.findReferences(Object.keys(references)));
  return Object.fromEntries(Object.entries(references).filter(([reference]) => found.has(reference)));
}
