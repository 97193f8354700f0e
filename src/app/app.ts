import type { AdaptersApp } from './adapters/adapters-app.js';
import type { ArtifactsApp } from './artifacts/artifacts-app.js';
import type { AskApp } from './ask/ask-app.js';
import type { AuthoringApp } from './authoring-app.js';
import type { CanaryApp } from './canary/canary-app.js';
import type { ChangesApp } from './changes/changes-app.js';
import type { ConnectionsApp } from './connections/connections-app.js';
import type { ConversationsApp } from './conversations/conversations-app.js';
import type { DocsApp } from './docs/docs-app.js';
import type { DoctorApp } from './doctor/doctor-app.js';
import type { EditingApp } from './editing/editing-app.js';
import type { EvalApp } from './evals/eval-app.js';
import type { EventsApp } from './events/events-app.js';
import type { FleetApp } from './fleet/fleet-app.js';
import type { InfoApp } from './info/info-app.js';
import type { PlacesApp } from './info/runs-place.js';
import type { JobsApp } from './jobs/jobs-app.js';
import type { LoginsApp } from './logins/logins-app.js';
import type { MemoryApp } from './memory/memory-app.js';
import type { ObserveApp } from './observe/observe-app.js';
import type { PluginsApp } from './plugins/plugins-app.js';
import type { PreferencesApp } from './preferences-app.js';
import type { ProofApp } from './proof/proof-app.js';
import type { ProvidersApp } from './providers/providers-app.js';
import type { ReviewApp } from './review/review-app.js';
import type { RunsApp } from './runs/runs-app.js';
import type { HttpApp } from './serve/http-app.js';
import type { MetricsApp } from './serve/metrics-app.js';
import type { ServeApp } from './serve/serve-app.js';
import type { SkillsApp } from './skills/skills-app.js';
import type { StorageApp } from './storage/storage-app.js';
import type { TriggersApp } from './triggers/triggers-app.js';
import type { TrustApp } from './trust/trust-app.js';
import type { UpgradeApp } from './upgrade/upgrade-app.js';
import type { WorkerApp } from './work/worker-app.js';
import type { WorkspaceReport } from './workspace-report.js';

/**
 * The list of use cases: what `this.kit` of a command gives. The composition in `boot/app.ts`
 * imports each part when it is first called, so that asking for `this.kit` costs nothing.
 */
export interface App {
  readonly plugins: PluginsApp;
  readonly authoring: AuthoringApp;
  readonly preferences: PreferencesApp;
  readonly runs: RunsApp;
  readonly observe: ObserveApp;
  readonly review: ReviewApp;
  readonly proofs: ProofApp;
  readonly artifacts: ArtifactsApp;
  /** Adapters of coding harnesses. */
  readonly adapters: AdaptersApp;
  /** Approvals of calls of harnesses, counted. */
  readonly trust: TrustApp;
  /** What harnesses changed. */
  readonly changes: ChangesApp;
  readonly events: EventsApp;
  /** Questions in words. */
  readonly ask: AskApp;
  /** Eval sets and their reports. */
  readonly evals: EvalApp;
  readonly providers: ProvidersApp;
  readonly canary: CanaryApp;
  readonly conversations: ConversationsApp;
  /** Servers elsewhere. */
  readonly connections: ConnectionsApp;
  /** Who this user is at servers. */
  readonly logins: LoginsApp;
  readonly memory: MemoryApp;
  readonly editing: EditingApp;
  /** Skills of the workspace, and the catalogue. */
  readonly skills: SkillsApp;
  readonly info: InfoApp;
  readonly places: PlacesApp;
  /** The documentation, offline. */
  readonly docs: DocsApp;
  readonly doctor: DoctorApp;
  /** What the HTTP server of a workspace is made of. */
  readonly http: HttpApp;
  /** The numbers of `/metrics`. */
  readonly metrics: MetricsApp;
  readonly serve: ServeApp;
  readonly work: WorkerApp;
  readonly jobs: JobsApp;
  readonly fleet: FleetApp;
  readonly triggers: TriggersApp;
  /** Moving a store to another database, and removing what is too old. */
  readonly storage: StorageApp;
  /** Another version of kit in place of this one. */
  readonly upgrade: UpgradeApp;
  /**
   * Everything `kit validate` knows of a directory. `submitter`: who would submit runs, null =
   * nobody in particular; absent: the OS user. Throws KIT_WORKSPACE_NOT_FOUND.
   */
  validateWorkspace(directory: string, as?: { readonly submitter: string | null }): Promise<WorkspaceReport>;
  /** Closes what was opened: stores, contributions, files. Idempotent. */
  close(): Promise<void>;
}
