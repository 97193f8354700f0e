import type { Job } from '../domain/job.js';
import type { Json } from '../domain/json.js';
import type { RemoteTasks } from '../domain/ports/remote-agents.js';
import type { RunSnapshot } from '../domain/snapshot.js';
import type { RunObservers } from '../engine/services/run-observers.js';
import type { RunPolicy } from '../engine/services/run-policy.js';
import type { RunPorts } from '../engine/services/run-ports.js';
import type { RunMemory, RunStores } from '../engine/services/run-stores.js';
import type { StepsDeps } from '../engine/step-types.js';

/**
 * What one run needs of the outside, made for it by `boot`: providers, executors, governance,
 * processes, secrets with their masks. Everything here is live (docs/design/journal.md#live); what
 * decides the work is in the snapshot.
 */
export interface RunFacilities extends Omit<RunPorts, keyof RunStores | 'clock'>, RunPolicy, Omit<RunObservers, 'log'> {
  readonly mask: <T extends Json>(value: T) => T;
  /**
   * How many secrets `mask` knows: what was masked while there were fewer may hold one. Absent: it
   * learns none.
   */
  readonly secretsKnown?: () => number;
  readonly breach: StepsDeps['breach'];
  /** Tasks of agents elsewhere, for a run that rests; absent: they are looked at alone. */
  readonly remoteTasks?: RemoteTasks;
  /** Between the run and its memory; absent: the run has the memory of its store. */
  readonly aroundMemory?: (own: RunMemory) => RunMemory;
  /**
   * Hands in what is kept beside the journal, so that the last write of a claim takes it along; its
   * promise never rejects. Absent: nothing is.
   */
  flush?(): Promise<void>;
  /**
   * Ends what tool servers of the run have running; resolves when their processes are gone.
   * `reason`: why the run ends early, if it does.
   */
  closeServers(reason?: unknown): Promise<void>;
  dispose(): Promise<void>;
}

export type OpenFacilities = (job: Job, snapshot: RunSnapshot) => Promise<RunFacilities>;
