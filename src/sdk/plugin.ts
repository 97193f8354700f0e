// What a contribution module imports as `@kit-run/kit/plugin`: the define functions, the error, and
// types.

export {
  ADAPTER_CONFIG_VARIABLE,
  ADAPTER_VARIABLES,
  TOOL_FILE_VARIABLES,
  TOOL_NAME_VARIABLES,
} from '../domain/adapter-variables.js';
export { readBoundedJson } from '../domain/bounded-json.js';
export { consentText, expiredText, isLoginOver, isSameEndpoint } from '../domain/consent.js';
export {
  CONTAINER_HOME,
  type ContainerCommand,
  type ContainerMount,
  type ContainerSpec,
  containerCommand,
} from '../domain/container-command.js';
export { type ContainerOwner, REMOVAL_MS, removalOf, removeLeftContainers } from '../domain/container-owner.js';
export {
  type ContainerRuntime,
  type FoundRuntime,
  findContainerRuntime,
  type RuntimeSearch,
} from '../domain/container-runtime.js';
export {
  type ContributionSource,
  defineAgentTransport,
  defineArtifactStore,
  defineAuthProvider,
  defineCompressor,
  defineCredentialSource,
  defineEvalCheck,
  defineEventSink,
  defineExecutor,
  defineGovernanceProvider,
  defineHttpMount,
  defineModelProvider,
  defineSignalListener,
  defineSkillStrategy,
  defineToolSource,
  defineTrigger,
} from '../domain/define.js';
export type { Disposable } from '../domain/disposable.js';
export { type AllowedHost, hostName, isAllowedHost, portOf, readAllowedHost } from '../domain/egress-hosts.js';
export type { ErrorCode } from '../domain/error-registry.js';
export { ERROR_REGISTRY } from '../domain/error-registry.js';
export { isKitError, KitError, type KitErrorOptions, messageOf } from '../domain/errors.js';
export type { EventType, RunEvent, StoredEvent } from '../domain/events.js';
export {
  type Contribution,
  type ContributionInfo,
  PLUGIN_API,
  type PluginContext,
  type Secrets,
} from '../domain/extension-points.js';
export { type CallFacts, type Exactness, fitsGlob, fitsWildcard, type HarnessCall } from '../domain/harness-call.js';
export { GATE_FOLDER, GATEWAY, takesSkills, toolCalled, toolNameOf } from '../domain/harness-gateway.js';
export { missingScope, TIER_SCOPES } from '../domain/http-tiers.js';
export type { Usage } from '../domain/job.js';
export type { Json, JsonObject, JsonSchema } from '../domain/json.js';
export type { ReportedLimit, StatedLimits } from '../domain/limiter.js';
export type { LogEntry } from '../domain/log-entry.js';
export { importOptional, type OptionalPackage } from '../domain/optional-packages.js';
export type * from '../domain/ports/agent-transport.js';
export type { ArtifactBytes } from '../domain/ports/artifacts.js';
export type { Compressor } from '../domain/ports/compressor.js';
export type { ContainerWay, ContainerWayRequest, HostAnswer } from '../domain/ports/container-way.js';
export type * from '../domain/ports/credential-source.js';
export type { EvalCheck, EvalSubject } from '../domain/ports/eval-check.js';
export type * from '../domain/ports/executor.js';
export type * from '../domain/ports/governance.js';
export type * from '../domain/ports/http.js';
export type { ProviderLimits } from '../domain/ports/limiter.js';
export type { Metric, MetricSample } from '../domain/ports/metrics.js';
export type * from '../domain/ports/model.js';
export type { CheckedAddress, OutboundFetch } from '../domain/ports/outbound.js';
export type { RunSpan, RunTrace, SpanSubject, SpanUsage, TracePart } from '../domain/ports/run-trace.js';
export type { EventSink, Signal, SignalListener, SinkOutcome, SinkRun } from '../domain/ports/sinks.js';
export type { PanelVerdict, SkillStrategy, Vote } from '../domain/ports/skill-strategy.js';
export {
  type Clock,
  elapsedMs,
  HurriedAbort,
  type Log,
  type ProcessResult,
  type ProcessSpec,
  type SupervisedProcess,
} from '../domain/ports/system.js';
export type * from '../domain/ports/tools.js';
export type * from '../domain/ports/triggers.js';
export type { Vault, VaultEntry, VaultKey, VaultLease, VaultRow } from '../domain/ports/vault.js';
export { type Posted, type PostRequest, postOnce } from '../domain/post-once.js';
export { problemCode } from '../domain/problem-code.js';
export { isReportedCount, isReportedUsd } from '../domain/reported-numbers.js';
export { isReservedScope } from '../domain/scopes.js';
export { type StatedPrice, statedPriceOf, statedPrices } from '../domain/stated-price.js';
export { byOf, submitterOf } from '../domain/submitter-of.js';
export { systemCode } from '../domain/system-code.js';
export { basicAuthorization } from '../lib/basic-authorization.js';
export { hostsOnce } from '../lib/hosts-once.js';
export { isDeepMessage } from '../lib/is-deeper.js';
export { isInside } from '../lib/is-inside.js';
export { isObject } from '../lib/json.js';
export { MessageLines } from '../lib/message-lines.js';
export { type LinearPatterns, loadLinearPatterns } from '../lib/patterns/load-linear-patterns.js';
export { WAITS_FOR_PEOPLE } from '../prompts/harness.js';
export { afterDenials, bytesLeftOut, oneArgumentOf, schemaInWords } from '../prompts/of-plugins.js';
