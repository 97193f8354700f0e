import type { RuntimeSearch } from '../../domain/container-runtime.js';
import type { JsonObject } from '../../domain/json.js';
import type { TrustRecord } from '../submit/adapter-trust.js';

/** Which adapter. */
export interface AdapterAsk {
  /** Absolute directory of the workspace. */
  readonly workspace: string;
  readonly id: string;
}

/** An adapter of a coding harness as a workspace has it, and what of it this machine has. */
export interface AdapterRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly source: 'bundled' | 'workspace';
  /** File in the workspace, or `bundled:...`. */
  readonly path: string;
  /** First word of its command line. */
  readonly program: string;
  /** Where the program lies; null = it is not on PATH. */
  readonly foundAt: string | null;
  /** What it says of itself; null = it was not asked (nobody approved it), or says nothing. */
  readonly version: string | null;
  /** Why the adapter was not verified with that version; null = it was, or it is not known. */
  readonly unverified: string | null;
  /** `bundled`: kit brings it, nobody has to approve it. */
  readonly approval: 'bundled' | 'approved' | 'needs-review';
  /** Variables that agents of the workspace hand to its program; approving covers them. */
  readonly env: readonly string[];
  /** SHA-256 hex of the whole spec. */
  readonly fingerprint: string;
  /** Topologies with an agent that uses it. */
  readonly topologies: readonly string[];
}

/** An adapter whole. */
export interface AdapterDetails extends AdapterRow {
  readonly spec: JsonObject;
  /** The newest approval of this adapter, whatever its spec was then; null = there is none. */
  readonly lastApproval: TrustRecord | null;
}

/** What building the image of an adapter takes of this machine. */
export interface ImageParts extends RuntimeSearch {
  readonly spec: JsonObject;
}

/** The adapters of a workspace, and what people approved of them. */
export interface AdaptersApp {
  /** By id. Throws KIT_WORKSPACE_NOT_FOUND, KIT_WORKSPACE_INVALID. */
  list(ask: { readonly workspace: string }): Promise<readonly AdapterRow[]>;
  /** Throws KIT_ADAPTER_UNKNOWN as well. */
  show(ask: AdapterAsk): Promise<AdapterDetails>;
  /**
   * Records that the user of this process approves the spec with exactly this fingerprint. Throws
   * KIT_USAGE when the adapter has another one by now, KIT_STORE_UNAVAILABLE.
   */
  approve(ask: AdapterAsk & { readonly fingerprint: string }): Promise<AdapterDetails>;
  /**
   * Lends what building the image of an adapter takes, once somebody has approved the spec: what
   * it builds is executed. Throws KIT_ADAPTER_UNTRUSTED, KIT_ADAPTER_UNKNOWN, what `build` throws.
   */
  build<Built>(ask: AdapterAsk, build: (parts: ImageParts) => Promise<Built>): Promise<Built>;
}
