import type { ExecutorChoice } from '../../domain/agent-node.js';
import { isGated, isHandedOver } from '../../domain/harness-call.js';
import type { JsonObject } from '../../domain/json.js';
import { atPointer } from '../../lib/json-pointer.js';
import type { JsonIssue } from '../../lib/json-schema.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { numberAt, objectAt, objectIn, textAt } from '../read.js';
import type { Place, Report } from '../report.js';
import { didYouMean } from '../report.js';
import { permissionProblems } from '../rules/harness-permissions.js';
import { onInDoubt } from './effects.js';
import type { Art, Registries } from './registries.js';

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
  executor: JsonObject,
  catalogue: ExecutorCatalogue,
): { readonly message: string; readonly help: string | undefined } | null {
  const kind = textAt(executor, 'kind') ?? '';
  const ref = textAt(executor, 'ref');
  const known = catalogue.adapters.keys();
  if (kind === 'model' || (kind !== 'harness' && (catalogue.adapters.has(kind) || catalogue.pluginKinds.has(kind))))
    return null;
  if (kind !== 'harness')
    return {
      message: `no executor is called \`${kind}\``,
      help: didYouMean(kind, ['model', 'harness', ...catalogue.pluginKinds, ...known]),
    };
  if (ref === null) return { message: 'a harness executor names no adapter', help: 'write `ref: <adapter id>`' };
  if (ref === 'model')
    return { message: '`model` is not an adapter', help: 'remove the executor block to call a model' };
  if (!catalogue.adapters.has(ref)) return { message: `no adapter is called \`${ref}\``, help: didYouMean(ref, known) };
  return null;
}

/** Adapters marked `requires: code` are listed and refused: data cannot express them. */
function needsCode(catalogue: ExecutorCatalogue, ref: string): boolean {
  return textAt(objectAt(catalogue.adapters.get(ref)?.value ?? null, 'spec'), 'requires') === 'code';
}

const LIMIT_KEYS = ['max_cost_usd', 'max_turns', 'max_wall_clock_minutes', 'max_idle_seconds'];

/** Keys of the open `config` block whose values the harness executor would refuse. */
function badBudget(config: JsonObject): string | null {
  const budget = objectAt(config, 'budget');
  return LIMIT_KEYS.find((key) => budget?.[key] !== undefined && !((numberAt(budget, key) ?? Number.NaN) >= 0)) ?? null;
}

/** Reports `archetype.executor-invalid` for an executor block that no executor can run. */
export function checkExecutor(archetype: Art, catalogue: ExecutorCatalogue, report: Report): void {
  const executor = objectAt(archetype.value, 'executor');
  if (executor === null) return;
  const place: Place = { artifact: archetype, pointer: '/executor' };
  const problem = invalid(executor, catalogue);
  if (problem !== null) {
    report.add(place, { code: 'archetype.executor-invalid', ...problem });
    return;
  }
  const ref = textAt(executor, 'kind') === 'harness' ? textAt(executor, 'ref') : textAt(executor, 'kind');
  if (ref !== null && needsCode(catalogue, ref)) {
    report.add(place, {
      code: 'archetype.executor-invalid',
      message: `the adapter \`${ref}\` needs code that no installed plugin contributes`,
      help: 'install a plugin with an executor of that name',
    });
  }
  checkConfig(archetype, catalogue, report);
  checkPermissions(archetype, catalogue, report);
}

/** Reports `archetype.permissions` where nobody could keep what `permissions` says. */
function checkPermissions(archetype: Art, catalogue: ExecutorCatalogue, report: Report): void {
  const choice = executorChoice(archetype, catalogue);
  if (choice.kind !== 'harness' || choice.config.permissions === undefined) return;
  const spec = objectAt(catalogue.adapters.get(choice.ref)?.value ?? null, 'spec');
  const sandbox = objectAt(spec, 'sandbox');
  const gate = {
    hasGate: objectAt(spec, 'gate') !== null,
    isOffline: textAt(sandbox, 'kind') === 'container' && textAt(sandbox, 'network') !== 'allowlist',
    kinds: kindsOf(objectIn(spec, 'gate', 'tools')),
  };
  for (const { key, message, help } of permissionProblems(choice.config, gate))
    report.add({ artifact: archetype, pointer: `${CONFIG}/${key}` }, { code: 'archetype.permissions', message, help });
}

const kindsOf = (tools: JsonObject | null): readonly string[] =>
  Object.keys(tools ?? {}).flatMap((name) => textAt(objectAt(tools, name), 'kind') ?? []);

const CONFIG = '/executor/config';

/**
 * Reports where a `config` block breaks the schema of its executor, once for each place: the same
 * judgement that refuses a run.
 */
function checkConfig(archetype: Art, catalogue: ExecutorCatalogue, report: Report): void {
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
export function executorChoice(archetype: Art | null, catalogue: ExecutorCatalogue): ExecutorChoice {
  const executor = objectAt(archetype?.value ?? null, 'executor');
  const kind = textAt(executor, 'kind');
  if (executor === null || kind === null || kind === 'model') return MODEL;
  const config = objectAt(executor, 'config') ?? {};
  const word = textAt(executor, 'on_in_doubt');
  if (kind !== 'harness' && !catalogue.adapters.has(kind))
    return { kind: 'plugin', ref: kind, config, onInDoubt: onInDoubt(word, 'write') };
  const ref = kind === 'harness' ? (textAt(executor, 'ref') ?? '') : kind;
  const spec = objectAt(catalogue.adapters.get(ref)?.value ?? null, 'spec') ?? undefined;
  // What people decide call by call is not done twice without them either.
  const doubt = word === null && isGated(spec, config) ? 'ask' : onInDoubt(word, 'write');
  return { kind: 'harness', ref, config, onInDoubt: doubt };
}
