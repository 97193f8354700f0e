import type { AdapterDetails, AdapterRow } from '../app/adapters/adapters-app.js';
import type { AppliedChanges, RunChanges } from '../app/changes/changes-app.js';
import type { TrustProposal, TrustRow } from '../app/trust/trust-app.js';
import type { JsonObject } from '../domain/json.js';
import type { ListView } from './info-renderers.js';

/** What shows adapters of harnesses. */
export interface AdapterRenderers {
  adaptersText(rows: readonly AdapterRow[], view: ListView): string;
  adapterText(
    details: AdapterDetails,
    options: { readonly color: boolean; readonly workspaceArgument: string },
  ): string;
  /** What programs are told. */
  adapterJson(row: AdapterRow): JsonObject;
  adapterDetailsJson(details: AdapterDetails): JsonObject;
  /** What has changed since the newest approval. */
  approvalText(details: AdapterDetails, options: { readonly color: boolean }): string;
}

/** What shows the approvals of their calls. */
export interface TrustRenderers {
  trustText(rows: readonly TrustRow[], view: ListView): string;
  proposalText(proposal: TrustProposal, options: { readonly color: boolean }): string;
  /** What programs are told. */
  trustJson(row: TrustRow): JsonObject;
  proposalJson(proposal: TrustProposal): JsonObject;
}

/** What shows the changes of harnesses. */
export interface ChangesRenderers {
  diffText(changes: RunChanges, options: { readonly color: boolean }): string;
  diffStatText(changes: RunChanges, options: { readonly color: boolean }): string;
  appliedText(applied: AppliedChanges, options: { readonly color: boolean }): string;
  /** What programs are told. */
  changesJson(changes: RunChanges, options: { readonly withDiff: boolean }): JsonObject;
  appliedJson(applied: AppliedChanges): JsonObject;
}
