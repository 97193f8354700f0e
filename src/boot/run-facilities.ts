import { policyProblems } from '../app/policy-workspace.js';
import type { StreamedText } from '../app/runs/text-feed.js';
import type { PluginHost } from '../domain/extension-points.js';
import type { Job } from '../domain/job.js';
import type { Json, JsonObject } from '../domain/json.js';
import type { LinkedCommand, LinkedSkill } from '../domain/linked-skill.js';
import type { GovernanceProvider } from '../domain/ports/governance.js';
import type { ModelProvider } from '../domain/ports/model.js';
import type { ProviderBinding, RunSnapshot } from '../domain/snapshot.js';
import type { Workspace } from '../domain/workspace.js';
import { ABORTED, raceAbort } from '../engine/race-abort.js';
import { DECIDE_TIMEOUT_MS, decide } from '../govern/decide.js';
import { breachOf } from '../govern/limits.js';
import {
  clampAudit,
  compileRules,
  DEFAULT_AUDIT,
  type RedactionRules,
  stricterAudit,
} from '../govern/redaction/policy.js';
import { redactCall } from '../govern/redaction/redact-event.js';
import { toolTier } from '../govern/tiers.js';
import type { CredentialService } from '../host/secrets.js';
import { loadJsonPaths } from '../lib/jsonpath.js';
import type { Masker, StreamMasker } from '../lib/masker.js';
import { onceKnown, type Soon } from '../lib/soon.js';
import type { RunFacilities } from '../worker/facilities.js';
import type { FacilityParts } from './parts.js';
import { renderConfig } from './render-config.js';

/**
 * What one run needs of the outside. Nothing is opened before it is used; secrets are followed by
 * this run's own mask.
 */
export async function openRunFacilities(
  parts: FacilityParts,
  of: { readonly job: Job; readonly snapshot: RunSnapshot },
): Promise<RunFacilities> {
  const { workspace, plugins, clock } = parts;
  const { job, snapshot } = of;
  const secrets = parts.credentials.maskerForRun();
  const scope = new AbortController();
  const governance = governanceOf(parts, snapshot);
  const deciding = { timeoutMs: DECIDE_TIMEOUT_MS, clock, signal: scope.signal };
  const servers = parts.servers();
  return {
    provider: (binding) => openProvider(plugins, parts.credentials, binding),
    executor: (kind, config) => plugins.resolve('executors', kind, configForCreate(kind, config)),
    compressor: (name) => plugins.resolve('compressors', name, {}),
    strategy: (name) => plugins.resolve('skillStrategies', name, {}),
    decide: (request) =>
      onceKnown(governance(), (provider) => onceKnown(decide(provider, request, deciding), ({ decision }) => decision)),
    trust: (agentId) => onceKnown(governance(), (provider) => trustIn(provider, agentId, scope.signal)),
    humanScopes: [...workspace.humanScopes],
    roles: parts.readRoles,
    processes: parts.processes,
    worktrees: parts.worktrees,
    workspaceRoot: workspace.root,
    childEnv: parts.childEnv,
    askVersion: parts.askVersion,
    variables: (names) => parts.credentials.renderAll(Object.fromEntries(names.map((name) => [name, `\${${name}}`]))),
    containers: parts.containers,
    commandEnv: async (command) => {
      await assertFit(parts, command);
      return parts.credentials.renderAll(
        command.env,
        command.credentialsRef === null ? null : [command.credentialsRef],
      );
    },
    ...servers,
    tierNow: (skill) => tierNow(workspace, skill),
    validate: async (schema, value) =>
      (await (await parts.schemas()).judge(schema, value)).map(({ pointer, message }) => ({ pointer, message })),
    redactCall: redactor(parts, { snapshot, masker: secrets.masker }),
    mask: <T extends Json>(value: T): T => secrets.masker.maskJson(value),
    secretsKnown: () => secrets.masker.size,
    breach: (request) => breachOf(snapshot.limits, request),
    onText: textMasker(secrets.masker, (piece) => parts.onText(job.id, piece)),
    dispose: async () => {
      // Without a reason it would make an error with a stack, for nobody.
      scope.abort('over');
      await servers.closeServers();
      secrets.release();
    },
  };
}

/**
 * The machine that executes a run may be another one than it was submitted to. Throws
 * KIT_BINARY_VERSION.
 */
async function assertFit({ askVersion }: FacilityParts, command: LinkedCommand): Promise<void> {
  if (command.requires === undefined) return;
  await (await import('../app/submit/assert-binaries.js')).assertBinaries(askVersion, command.id, command);
}

/** What the files say now of whoever is called, whatever the snapshot froze. */
function tierNow(workspace: Workspace, { id, implementation }: LinkedSkill): LinkedCommand['permission'] | null {
  if (implementation.type === 'mcp_tool') {
    const server = workspace.servers.get(implementation.server);
    return server === undefined ? null : toolTier(server, implementation.tool);
  }
  const live = workspace.skills.get(id)?.implementation;
  if (live?.type === 'agent') return live.permission;
  return live?.type === 'command' ? live.command.permission : null;
}

/**
 * The harness driver takes the config of an archetype with each request; a plugin's executor takes
 * it when it is created.
 */
const configForCreate = (kind: string, config: JsonObject): JsonObject => (kind === 'harness' ? {} : config);

/**
 * References in URLs and headers are resolved here, at the point of use
 * (docs/design/journal.md#references).
 */
function openProvider(
  plugins: PluginHost,
  secrets: CredentialService,
  { contribution, config }: ProviderBinding,
): Promise<ModelProvider> {
  const resolve = (rendered: JsonObject) => plugins.resolve('modelProviders', contribution, rendered);
  return Object.keys(config).length === 0 ? resolve(config) : renderConfig(secrets, config).then(resolve);
}

/**
 * The provider of a run; null where it cannot be had, and null decides nothing but denials. When
 * the run first asks, the provider is told what its policies may name; whether they changed since
 * is its own affair.
 */
function governanceOf(
  { plugins, workspace }: FacilityParts,
  snapshot: RunSnapshot,
): () => Soon<GovernanceProvider | null> {
  const { provider, config } = snapshot.governance;
  let known: GovernanceProvider | null = null;
  const open = async (): Promise<GovernanceProvider | null> => {
    try {
      const made = await plugins.resolve('governanceProviders', provider, config);
      if (made.check !== undefined) await policyProblems(made, workspace);
      known = made;
      return made;
    } catch {
      return null;
    }
  };
  return () => known ?? open();
}

/** A provider that does not answer in time has not said that it trusts anybody. */
function trustIn(provider: GovernanceProvider | null, agentId: string, run: AbortSignal): Soon<number | null> {
  if (provider?.trustScore === undefined) return null;
  const signal = AbortSignal.any([run, AbortSignal.timeout(DECIDE_TIMEOUT_MS)]);
  return scoreWithin(provider.trustScore(agentId, signal), signal);
}

async function scoreWithin(asked: Promise<number | null>, signal: AbortSignal): Promise<number | null> {
  const score = await raceAbort(asked, signal);
  if (score === ABORTED) throw new Error('the governance provider did not say how far the agent is trusted');
  return score;
}

/**
 * Streamed text is cut anywhere, also inside a secret: each activation has a stream of its own
 * through the mask.
 */
function textMasker(masker: Masker, take: (piece: StreamedText) => void): RunFacilities['onText'] {
  let streams: Map<string, StreamMasker> | undefined;
  return (activation, text) => {
    // A stream holds nothing back while there is nothing to find.
    if (masker.isEmpty && streams?.has(activation) !== true) return take({ activation, text });
    streams ??= new Map();
    const stream = streams.get(activation) ?? masker.stream();
    streams.set(activation, stream);
    const shown = stream.push(text);
    if (shown !== '') take({ activation, text: shown });
  };
}

/** The stricter of the frozen and the live policy of a skill, compiled once a run. */
function redactor(
  parts: FacilityParts,
  of: { readonly snapshot: RunSnapshot; readonly masker: Masker },
): RunFacilities['redactCall'] {
  let compiled: Map<string, RedactionRules> | undefined;
  return async (skillId, call) => {
    compiled ??= new Map();
    const key = skillId ?? '';
    let rules = compiled.get(key);
    if (rules === undefined) {
      const policy = policyOf(parts.workspace, of.snapshot, skillId);
      rules = compileRules(policy, await loadJsonPaths(policy.redact));
      compiled.set(key, rules);
    }
    return redactCall(call, rules, of.masker);
  };
}

function policyOf(workspace: Workspace, snapshot: RunSnapshot, skillId: string | null) {
  const frozen = skillId === null ? undefined : snapshot.skills[skillId]?.audit;
  const live = skillId === null ? undefined : workspace.skills.get(skillId)?.audit;
  const policy = frozen === undefined ? DEFAULT_AUDIT : live === undefined ? frozen : stricterAudit(frozen, live);
  const { name, version } = snapshot.topology;
  const liveLevel = workspace.topologies.get(`${name}@${version}`)?.auditLevel ?? workspace.auditLevel;
  return clampAudit(clampAudit(policy, snapshot.auditLevel ?? 'detailed'), liveLevel);
}
