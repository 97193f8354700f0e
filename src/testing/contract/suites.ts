import type { Contribution, LivePointId } from '../../domain/extension-points.js';
import { type AgentTransportFixtures, agentTransportConformance } from './agent-transport.js';
import { type ArtifactStoreFixtures, artifactStoreConformance } from './artifact-store.js';
import { type AuthProviderFixtures, authProviderConformance } from './auth-provider.js';
import type { ContractCase } from './case.js';
import { type CompressorFixtures, compressorConformance } from './compressor.js';
import { type CredentialSourceFixtures, credentialSourceConformance } from './credential-source.js';
import { type EvalCheckFixtures, evalCheckConformance } from './eval-check.js';
import { type EventSinkFixtures, eventSinkConformance } from './event-sink.js';
import { type ExecutorFixtures, executorConformance } from './executor.js';
import { type GovernanceFixtures, governanceConformance } from './governance.js';
import { type HttpMountFixtures, httpMountConformance } from './http-mount.js';
import { type ModelProviderFixtures, modelProviderConformance } from './model-provider.js';
import { type SignalListenerFixtures, signalListenerConformance } from './signal-listener.js';
import { type SkillStrategyFixtures, skillStrategyConformance } from './skill-strategy.js';
import { toolSourceConformance } from './tool-source.js';
import type { ToolSourceFixtures } from './tool-source-stage.js';
import { type TriggerFixtures, triggerConformance } from './trigger.js';

/** What the suite of each point may be told. */
export interface FixturesByPoint {
  executors: ExecutorFixtures;
  governanceProviders: GovernanceFixtures;
  modelProviders: ModelProviderFixtures;
  credentialSources: CredentialSourceFixtures;
  artifactStores: ArtifactStoreFixtures;
  toolSources: ToolSourceFixtures;
  skillStrategies: SkillStrategyFixtures;
  httpMounts: HttpMountFixtures;
  authProviders: AuthProviderFixtures;
  signalListeners: SignalListenerFixtures;
  agentTransports: AgentTransportFixtures;
  eventSinks: EventSinkFixtures;
  triggers: TriggerFixtures;
  evalChecks: EvalCheckFixtures;
  compressors: CompressorFixtures;
}

/** The contract suite of every point that this kit uses: a point without one does not compile. */
export const CONFORMANCE: {
  readonly [P in LivePointId]: (
    contribution: Contribution<P>,
    fixtures?: FixturesByPoint[P],
  ) => readonly ContractCase[];
} = {
  executors: executorConformance,
  governanceProviders: governanceConformance,
  modelProviders: modelProviderConformance,
  credentialSources: credentialSourceConformance,
  artifactStores: artifactStoreConformance,
  toolSources: toolSourceConformance,
  skillStrategies: skillStrategyConformance,
  httpMounts: httpMountConformance,
  authProviders: authProviderConformance,
  signalListeners: signalListenerConformance,
  agentTransports: agentTransportConformance,
  eventSinks: eventSinkConformance,
  triggers: triggerConformance,
  evalChecks: evalCheckConformance,
  compressors: compressorConformance,
};
