import type { JsonObject } from '../../domain/json.js';
import type { JsonIssue } from '../../lib/json-schema.js';
import type { Linked } from '../link/link-workspace.js';
import type { Report } from '../report.js';
import { checkAdapters } from './adapters.js';
import { checkAgentOptions } from './agent-options.js';
import { checkAgents } from './agents.js';
import { checkArchetypes } from './archetypes.js';
import { checkDecisionBindings } from './bindings.js';
import { checkCommandPacks } from './command-packs.js';
import { type CompressorFacts, checkCompression } from './compression.js';
import { checkContracts } from './contracts.js';
import { checkCredentials } from './credentials.js';
import { checkEvalSets } from './eval-sets.js';
import { checkEventSinks, type SinkFacts } from './event-sinks.js';
import { checkBaseUrls, checkExposedCredentials } from './exposed-credentials.js';
import { checkFunnelDiffs } from './funnel-diff.js';
import { checkFunnels } from './funnels.js';
import { checkKnowledge } from './knowledge.js';
import { checkModelNames } from './model-names.js';
import { checkModelProviders, type ProviderFacts } from './model-providers.js';
import { checkProviders } from './providers.js';
import { checkRoles } from './roles.js';
import { checkSandboxImages, checkServerHosts } from './sandboxes.js';
import { checkScopes } from './scopes.js';
import { checkServerAuth } from './server-auth.js';
import { checkSkillKeys } from './skill-keys.js';
import { checkSkills } from './skills.js';
import { checkStrategies, type StrategyFacts } from './strategies.js';
import { checkTopologies } from './topologies.js';
import { checkCalls } from './topology-calls.js';
import { checkTriggers } from './triggers.js';
import { checkVersionConstraints } from './version-constraints.js';
import { checkWorkspace } from './workspace.js';

/** What a rule may know of the host without loading a plugin. */
export interface HostFacts {
  readonly modelProviders: readonly ProviderFacts[];
  /** Names of the auth providers; null = not known here, so that none is missed. */
  readonly authProviders: readonly string[] | null;
  /** Every event sink contribution; null = not known here, so that none is missed. */
  readonly eventSinks: readonly SinkFacts[] | null;
  /** Every compressor contribution; null = not known here, so that none is missed. */
  readonly compressors: readonly CompressorFacts[] | null;
  /** Every contribution to `skillStrategies`; null = not known here, so that none is missed. */
  readonly skillStrategies: readonly StrategyFacts[] | null;
  /**
   * Every trigger type that a plugin contributes; null = not known here, so that none is missed.
   */
  readonly triggerTypes: readonly ProviderFacts[] | null;
  /** How a configuration breaks the schema of its contribution; [] = it fits. */
  readonly configIssues: (schema: JsonObject, config: JsonObject) => readonly JsonIssue[];
}

/** Every semantic rule, in the order of the registries (docs/design/workspace.md#order). */
export function checkAll(linked: Linked, host: HostFacts, report: Report): void {
  checkSkills(linked, report);
  checkSkillKeys(linked, report);
  checkStrategies(linked, host, report);
  checkCalls(linked, report);
  checkCommandPacks(linked, report);
  checkSandboxImages(linked, report);
  checkServerHosts(linked, report);
  checkArchetypes(linked, report);
  checkVersionConstraints(linked, report);
  checkAdapters(linked, report);
  checkFunnels(linked, report);
  checkFunnelDiffs(linked, report);
  checkRoles(linked.registries.roles, report);
  checkTopologies(linked, report);
  checkAgents(linked, report);
  checkScopes(linked, report);
  checkDecisionBindings(linked, report);
  checkTriggers(linked, host, report);
  checkContracts(linked, report);
  checkProviders(
    linked,
    host.modelProviders.map(({ name }) => name),
    report,
  );
  checkModelProviders(linked, host, report);
  checkModelNames(linked, report);
  checkAgentOptions(linked, host, report);
  checkCredentials(linked, report);
  checkExposedCredentials(linked, report);
  checkBaseUrls(linked, report);
  checkServerAuth(linked, host.authProviders, report);
  checkEventSinks(linked, host, report);
  checkCompression(linked, host, report);
  checkKnowledge(linked, report);
  checkEvalSets(linked, report);
  checkWorkspace(linked, report);
}
