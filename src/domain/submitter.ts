/** Who asked for a run, and how far that is proven (docs/design/decisions.md#submitter). */
export interface Submitter {
  readonly identity: string;
  readonly assurance: 'authenticated' | 'asserted' | 'system';
  /**
   * What the entry point calls the identity (`client_name`), for people; absent: it knows no name.
   */
  readonly clientName?: string;
}

/**
 * Who submitted a run that this one goes on from: its parent (`parentJobId`), or the parent of
 * that. The store keeps it in the row, so that it outlives the runs themselves. A person is named
 * with the first of their runs alone.
 */
export interface EarlierSubmitter {
  /** '' for one whom another system named when it asked for the run. */
  readonly jobId: string;
  readonly submittedBy: Submitter;
}
