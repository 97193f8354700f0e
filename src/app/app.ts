import type { ArtifactsApp } from './artifacts/artifacts-app.js';
import type { AuthoringApp } from './authoring-app.js';
import type { EditingApp } from './editing/editing-app.js';
import type { ObserveApp } from './observe/observe-app.js';
import type { PluginsApp } from './plugins/plugins-app.js';
import type { ProofApp } from './proof/proof-app.js';
import type { ProvidersApp } from './providers/providers-app.js';
import type { ReviewApp } from './review/review-app.js';
import type { RunsApp } from './runs/runs-app.js';
import type { WorkspaceReport } from './workspace-report.js';

/**
 * The list of use cases: what `this.kit` of a command gives. The composition in `boot/app.ts` imports each part when it is
 * first called, so that asking for `this.kit` costs nothing.
 */
export interface App {
  readonly plugins: PluginsApp;
  readonly authoring: AuthoringApp;
  readonly runs: RunsApp;
  readonly observe: ObserveApp;
  readonly review: ReviewApp;
  readonly proofs: ProofApp;
  readonly artifacts: ArtifactsApp;
  readonly providers: ProvidersApp;
  readonly editing: EditingApp;
  /** Everything `kit validate` knows of a directory. Throws KIT_WORKSPACE_NOT_FOUND. */
  validateWorkspace(directory: string): Promise<WorkspaceReport>;
  /** Closes what was opened: stores, contributions, files. Idempotent. */
  close(): Promise<void>;
}
