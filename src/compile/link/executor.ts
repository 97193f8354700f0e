import type { ExecutorChoice } from '../../domain/agent-node.js';
import type { ExecutorBlock } from '../../domain/generated/artifacts.js';
import { isGated, isHandedOver } from '../../domain/harness-call.js';
import type { JsonObject } from '../../domain/json.js';
import { HOW_TO_INSTALL } from '../../domain/missing-contribution.js';
import { atPointer } from '../../lib/json-pointer.js';
import type { JsonIssue } from '../../lib/json-schema.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { numberAt, objectAt } from '../read.js';
import type { Finding, Place, Report } from '../report.js';
import { didYouMean, missing } from '../report.js';
import { permissionProblems } from '../rules/harness-permissions.js';
import { onInDoubt } from './effects.js';
import type { Art, Checked, Registries } from './registries.js';

/**
 * What may execute a node: adapters (bundled or of the workspace) and executor contributions of
 * installed plugins.
 */
export interface ExecutorCatalogue {
  readonly adapters: Registries['adapters'];
  /** `kind` names that plugins contribute, without the harness executor itself. */
  readonly pluginKinds: ReadonlySet<string>;
  /**
   * How a `config` block breaks the schema of an executor contribution (`harness` among them); [] =
   * it fits, or there is no schema.
   */
  readonly configIssues: (executor: string, config: JsonObject) => readonly JsonIssue[];
}

const MODEL: ExecutorChoice = { kind: 'model' };

/** Why an executor block cannot run, or null. */
function invalid(
  { kind, ref }: ExecutorBlock,
  catalogue: ExecutorCatalogue,
): Pick<Finding, 'message' | 'help' | 'wants'> | null {
  const known = catalogue.adapters.keys();
  if (kind === 'model' || (kind !== 'harness' && (catalogue.adapters.has(kind) || catalogue.pluginKinds.has(kind))))
    return null;
  if (kind !== 'harness')
    return {
      message: `no executor is called \`${kind}\``,
      ...missing('executors', kind, ['model', 'harness', ...catalogue.pluginKinds, ...known]),
    };
  if (ref === undefined) return { message: 'a harness executor names no adapter', help: 'write `ref: <adapter id>`' };
  if (ref === 'model')
    return { message: '`model` is not an adapter', help: 'remove the executor block to call a model' };
  if (!catalogue.adapters.has(ref)) return { message: `no adapter is called \`${ref}\``, help: didYouMean(ref, known) };
  return null;
}

/** Adapters marked `requires: code` are listed and refused: data cannot express them. */
const needsCode = (catalogue: ExecutorCatalogue, ref: string): boolean =>
  catalogue.adapters.get(ref)?.value.spec.requires === 'code';

const LIMIT_KEYS = ['max_cost_usd', 'max_turns', 'max_wall_clock_minutes', 'max_idle_seconds'];

/** Keys of the open `config` block whose values the harness executor would refuse. */
function badBudget(config: JsonObject): string | null {
  const budget = objectAt(config, 'budget');
  return LIMIT_KEYS.find((key) => budget?.[key] !== undefined && !((numberAt(budget, key) ?? Number.NaN) >= 0)) ?? null;
}

/** Reports `archetype.executor-invalid` for an executor block that no executor can run. */
export function checkExecutor(archetype: Checked<'Archetype'>, catalogue: ExecutorCatalogue, report: Report): void {
  const { executor } = archetype.value;
  if (executor === undefined) return;
  const place: Place = { artifact: archetype, pointer: '/executor' };
  const problem = invalid(executor, catalogue);
  if (problem !== null) {
    report.add(place, { code: 'archetype.executor-invalid', ...problem });
    return;
  }
  const ref = executor.kind === 'harness' ? executor.ref : executor.kind;
  if (ref !== undefined && needsCode(catalogue, ref)) {
    report.add(place, {
      code: 'archetype.executor-invalid',
      message: `the adapter \`${ref}\` needs code that no installed plugin contributes`,
      help: `install a plugin with an executor of that name: ${HOW_TO_INSTALL}`,
      wants: { point: 'executors', name: ref },
    });
  }
  checkConfig(archetype, catalogue, report);
  checkPermissions(archetype, catalogue, report);
}

/** Reports `archetype.permissions` where nobody could keep what `permissions` says. */
function checkPermissions(archetype: Checked<'Archetype'>, catalogue: ExecutorCatalogue, report: Report): void {
  const choice = executorChoice(archetype, catalogue);
  if (choice.kind !== 'harness' || choice.config.permissions === undefined) return;
  const { gate: own, sandbox } = catalogue.adapters.get(choice.ref)?.value.spec ?? {};
  const gate = {
    hasGate: own !== undefined,
    isOffline: sandbox?.kind === 'container' && sandbox.network !== 'allowlist',
    kinds: Object.values(own?.tools ?? {}).map(({ kind }) => kind),
  };
  for (const { key, message, help } of permissionProblems(choice.config, gate))
    report.add({ artifact: archetype, pointer: `${CONFIG}/${key}` }, { code: 'archetype.permissions', message, help });
}

const CONFIG = '/executor/config';

/**
 * Reports where a `config` block breaks the schema of its executor, once for each place: the same
 * judgement that refuses a run.
 */
function checkConfig(archetype: Checked<'Archetype'>, catalogue: ExecutorCatalogue, report: Report): void {
  const choice = executorChoice(archetype, catalogue);
  if (choice.kind === 'model') return;
  const name = choice.kind === 'harness' ? 'harness' : choice.ref;
  const found = new Map<string, { readonly place: Place; readonly messages: readonly string[] }>();
  for (const issue of catalogue.configIssues(name, choice.config)) {
    const place = placeOf(archetype, choice.config, issue);
    found.set(place.pointer, { place, messages: [...(found.get(place.pointer)?.messages ?? []), issue.message] });
  }
  for (const { place, messages } of found.values()) {
    const message = `\`${wordsOf(place.pointer)}\` does not fit the executor \`${name}\`: ${messages.join('; ')}`;
    report.add(place, { code: 'archetype.executor-invalid', message });
  }
  for (const [index, name] of reservedVariables(choice.config))
    report.add(
      { artifact: archetype, pointer: `${CONFIG}/env/${index}` },
      {
        code: 'archetype.executor-invalid',
        message: `\`env\` cannot pass \`${name}\`: it decides what is started, belongs to kit, or is not the name of a variable`,
        help: 'remove it, or set it in `launch.env` of your own adapter',
      },
    );
  const bad = badBudget(choice.config);
  const pointer = `${CONFIG}/budget/${bad}`;
  if (bad === null || found.has(pointer)) return;
  report.add(
    { artifact: archetype, pointer },
    { code: 'archetype.executor-invalid', message: `\`budget.${bad}\` must be a number of 0 or more` },
  );
}

/** Names of `env` that no program may be handed, with their places. */
const reservedVariables = ({ env }: JsonObject): readonly (readonly [number, string])[] =>
  (Array.isArray(env) ? env : []).flatMap((name, index) =>
    typeof name === 'string' && !isHandedOver(name) ? [[index, name] as const] : [],
  );

/** `/executor/config/link/0` as `executor.config.link.0`, for people. */
const wordsOf = (pointer: string): string =>
  pointer.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');

/**
 * A key that is not allowed is its own place; a missing one is at the key of its mapping; a schema
 * that is broken itself concerns the block.
 */
function placeOf(artifact: Art, config: JsonObject, issue: JsonIssue): Place {
  if (issue.rule === 'schema') return { artifact, pointer: '/executor' };
  const pointer = `${CONFIG}${issue.pointer}`;
  if (issue.rule === 'required') return { artifact, pointer, onKey: true };
  if (issue.rule !== 'additionalProperties' && issue.rule !== 'unevaluatedProperties') return { artifact, pointer };
  const mapping = atPointer(config, issue.pointer);
  const keys = typeof mapping === 'object' && mapping !== null ? Object.keys(mapping) : [];
  // The issue names its key only in its sentence.
  const key = keys.find((name) => issue.message.startsWith(`"${name}" `));
  return key === undefined ? { artifact, pointer } : { artifact, pointer: pointerTo(pointer, key), onKey: true };
}

/**
 * The executor of an agent: its archetype's, else a model call. `kind: <adapter id>` is the older
 * spelling of a harness.
 */
export function executorChoice(archetype: Checked<'Archetype'> | null, catalogue: ExecutorCatalogue): ExecutorChoice {
  const executor = archetype?.value.executor;
  if (executor === undefined || executor.kind === 'model') return MODEL;
  const { kind, ref: named = '', config = {}, on_in_doubt: written } = executor;
  const isHarness = kind === 'harness';
  if (!isHarness && !catalogue.adapters.has(kind))
    return { kind: 'plugin', ref: kind, config, onInDoubt: onInDoubt(written, 'write') };
  const ref = isHarness ? named : kind;
  const spec = catalogue.adapters.get(ref)?.value.spec;
  // What people decide call by call is not done twice without them either.
  const doubt = written === undefined && isGated(spec, config) ? 'ask' : onInDoubt(written, 'write');
  return { kind: 'harness', ref, config, onInDoubt: doubt };
}
