import { DEFAULTS } from '../../domain/generated/defaults.js';
import { saysEngine } from '../../domain/storage-words.js';
import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import { warnOfTimedPatterns } from '../link/output-schema.js';
import type { Checked } from '../link/registries.js';
import { topologyOf } from '../link/topology-of.js';
import { triggerForm } from '../link/trigger-form.js';
import { auditRetentionDays, storageSettings } from '../link/workspace-config.js';
import type { Place, Report } from '../report.js';

interface Scope {
  readonly linked: Linked;
  readonly artifact: Checked<'Topology'>;
  /** `name@version`. */
  readonly key: string;
  readonly report: Report;
}

const at = ({ artifact }: Scope, pointer: string): Place => ({ artifact, pointer });

/** Topologies that an enabled cron trigger starts, as `name@version`. */
function scheduled({ linked }: Scope): ReadonlySet<string> {
  const targets = [...linked.registries.triggers.values()].flatMap(({ value }) => {
    const form = triggerForm(value);
    return form.type === 'cron' && value.enabled !== false ? form.targets : [];
  });
  const found = targets.map((target) => (typeof target === 'string' ? topologyOf(linked, target) : null));
  return new Set(found.flatMap((topology) => (topology === null ? [] : [`${topology.name}@${topology.version}`])));
}

/**
 * A run is bounded, whoever starts it: `one-shot` is every run, `scheduled` says that a cron
 * trigger is meant to start them, and `persistent` is what triggers and conversations are for.
 */
function checkMode(scope: Scope): void {
  const mode = scope.artifact.value.runtime?.mode;
  if (mode === 'persistent') {
    scope.report.add(at(scope, '/runtime/mode'), {
      code: 'topology.mode-persistent',
      message: 'a run of a topology always ends',
      help: 'write `one-shot`, and start each run with a trigger, or in a conversation with `kit chat`',
    });
  }
  if (mode !== 'scheduled' || scheduled(scope).has(scope.key)) return;
  const name = scope.key.replace(/@.*$/, '');
  scope.report.add(at(scope, '/runtime/mode'), {
    code: 'topology.not-scheduled',
    message: `\`${name}\` is scheduled, and no enabled cron trigger targets it`,
    help: `add a trigger with \`type: cron\`, \`targets: [${name}]\` and an \`expression\`, or write \`mode: one-shot\``,
  });
}

type Store = 'checkpoints' | 'audit' | 'runtime';

/**
 * Which engine the files of the workspace name for a store that lies with the runs unless it says
 * otherwise.
 */
function engineOf({ linked }: Scope, store: Store): 'sqlite' | 'postgres' {
  const settings = storageSettings(linked.registries.config.value);
  return saysEngine(settings[store]) ?? saysEngine(settings.runtime) ?? 'sqlite';
}

/**
 * Stores belong to the workspace, one for all of its topologies: a topology may only say what holds
 * anyway.
 */
function checkStore(
  scope: Scope,
  pointer: string,
  of: { readonly wanted: string | undefined; readonly store: Store },
): void {
  const { wanted, store } = of;
  const engine = engineOf(scope, store);
  if (wanted === undefined || wanted === engine) return;
  scope.report.add(at(scope, pointer), {
    code: 'topology.other-storage',
    message: `the topology names ${wanted}, and workspace.yaml keeps this store in ${engine}`,
    help: `remove the key, or write \`storage.${store}.backend: ${wanted}\` in workspace.yaml`,
  });
}

function checkCheckpointing(scope: Scope): void {
  const block = scope.artifact.value.runtime?.checkpointing;
  checkStore(scope, '/runtime/checkpointing/storage', { wanted: block?.storage, store: 'checkpoints' });
  for (const key of Object.keys(block ?? {})) {
    if (key === 'storage') continue;
    scope.report.add(
      { ...at(scope, pointerTo('', 'runtime', 'checkpointing', key)), onKey: true },
      {
        code: 'topology.unread-key',
        severity: 'warning',
        message: `nothing reads \`checkpointing.${key}\``,
        help: 'every run is checkpointed at each step',
      },
    );
  }
}

const LEVELS: readonly string[] = ['minimal', 'standard', 'detailed'];

/**
 * A topology may have its calls logged in more detail; less than its workspace demands would hide
 * them from who relies on it.
 */
function checkAudit(scope: Scope): void {
  const workspace = scope.linked.registries.config.value;
  const block = scope.artifact.value.artifacts?.audit;
  const level = block?.level;
  const demanded = workspace.audit?.level;
  if (level !== undefined && demanded !== undefined && LEVELS.indexOf(level) < LEVELS.indexOf(demanded)) {
    scope.report.add(at(scope, '/artifacts/audit/level'), {
      code: 'topology.audit-weaker',
      message: `the topology asks for ${level} audit, and the workspace demands ${demanded}`,
      help: `write at least \`${demanded}\`, or lower \`audit.level\` in workspace.yaml`,
    });
  }
  checkStore(scope, '/artifacts/audit/storage', { wanted: block?.storage, store: 'audit' });
  const days = block?.retention_days;
  const kept = auditRetentionDays(workspace) ?? DEFAULTS['Storage.audit'].retention_days;
  if (days === undefined || days === kept) return;
  scope.report.add(at(scope, '/artifacts/audit/retention_days'), {
    code: 'topology.other-retention',
    message: `the topology keeps its audit for ${days} days, and the workspace keeps the log of all runs for ${kept}`,
    help: `remove the key, or write \`storage.audit.retention_days: ${days}\` in workspace.yaml`,
  });
}

/** What people are asked lies with the runs: a queue is a name for it, and no store of its own. */
function checkQueues(scope: Scope): void {
  scope.artifact.value.artifacts?.review_queues?.forEach(({ storage }, index) => {
    checkStore(scope, `/artifacts/review_queues/${index}/storage`, { wanted: storage, store: 'runtime' });
  });
}

/** Rules on what a topology says of its runs as a whole. */
export function checkTopologies(linked: Linked, report: Report): void {
  for (const [key, artifact] of linked.registries.topologies) {
    const scope: Scope = { linked, artifact, key, report };
    checkMode(scope);
    checkCheckpointing(scope);
    checkAudit(scope);
    checkQueues(scope);
    checkInputSchema(scope);
  }
}

/** Where it cannot be used, every submit would be refused, and blame its caller. */
function checkInputSchema(scope: Scope): void {
  const schema = scope.artifact.value.input_schema;
  if (schema === undefined) return;
  const problem = scope.linked.tools.schemaProblem(schema);
  if (problem === null) {
    warnOfTimedPatterns(scope.report, at(scope, '/input_schema'), schema);
    return;
  }
  scope.report.add(at(scope, `/input_schema${problem.pointer}`), {
    code: 'topology.input-schema',
    message: `the schema is not valid JSON Schema: ${problem.message}`,
    help: 'schemas follow JSON Schema draft 2020-12',
  });
}
