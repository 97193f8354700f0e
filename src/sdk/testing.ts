// What a plugin's own tests import as `@kit-run/kit/testing`. Runs under any test runner.
export { createTestContext, type TestContextOptions } from '../domain/testing.js';
export { type ArtifactStoreFixtures, artifactStoreConformance } from '../testing/contract/artifact-store.js';
export { type AuthProviderFixtures, authProviderConformance } from '../testing/contract/auth-provider.js';
export { type ContractCase, ContractViolation } from '../testing/contract/case.js';
export { type CompressorFixtures, compressorConformance } from '../testing/contract/compressor.js';
export { type CredentialSourceFixtures, credentialSourceConformance } from '../testing/contract/credential-source.js';
export { type EventSinkFixtures, eventSinkConformance } from '../testing/contract/event-sink.js';
export { type ExecutorFixtures, executorConformance } from '../testing/contract/executor.js';
export { type GovernanceFixtures, governanceConformance } from '../testing/contract/governance.js';
export { type HttpMountFixtures, httpMountConformance } from '../testing/contract/http-mount.js';
export { type ModelProviderFixtures, modelProviderConformance } from '../testing/contract/model-provider.js';
export { type SignalListenerFixtures, signalListenerConformance } from '../testing/contract/signal-listener.js';
export { type TriggerFixtures, triggerConformance } from '../testing/contract/trigger.js';
export type { ContractFixtures } from '../testing/contract/world.js';
export { type Fixtures, readFixtures } from '../testing/read-fixtures.js';
export { TestClock } from '../testing/test-clock.js';
export { createTestHost, type LoggedLine, type TestHost, type TestHostOptions } from '../testing/test-host.js';
