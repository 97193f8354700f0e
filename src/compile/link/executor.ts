import type { JsonObject } from '../../domain/json.js';
import type { ExecutorChoice } from '../../domain/workspace.js';
import { numberAt, objectAt, textAt } from '../read.js';
import type { Place, Report } from '../report.js';
import { didYouMean } from '../report.js';
import { onInDoubt } from './effects.js';
import type { Art } from './registries.js';

/** What may execute a node: adapters (bundled or of the workspace) and executor contributions of installed plugins. */
export interface ExecutorCatalogue {
  readonly adapters: ReadonlyMap<string, Art>;
  /** `kind` names that plugins contribute, without the harness executor itself. */
  readonly pluginKinds: ReadonlySet<string>;
}

const MODEL: ExecutorChoice = { kind: 'model' };

/** Why an executor block cannot run, or null. */
function invalid(executor: JsonObject, catalogue: ExecutorCatalogue): { readonly message: string; readonly help: string | undefined } | null {
  const kind = textAt(executor, 'kind') ?? '';
  const ref = textAt(executor, 'ref');
  const known = catalogue.adapters.keys();
  if (kind === 'model' || (kind !== 'harness' && (catalogue.adapters.has(kind) || catalogue.pluginKinds.has(kind)))) return null;
  if (kind !== 'harness')
    return { message: `no executor is called \`${kind}\``, help: didYouMean(kind, ['model', 'harness', ...catalogue.pluginKinds, ...known]) };
  if (ref === null) return { message: 'a harness executor names no adapter', help: 'write `ref: <adapter id>`' };
  if (ref === 'model') return { message: '`model` is no adapter', help: 'remove the executor block to call a model' };
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
      message: `the adapter \`${ref}\` needs code that no installed plugin brings`,
      help: 'install a plugin with an executor of that name',
    });
  }
  const bad = badBudget(objectAt(executor, 'config') ?? {});
  if (bad !== null) {
    report.add(
      { artifact: archetype, pointer: `/executor/config/budget/${bad}` },
      { code: 'archetype.executor-invalid', message: `\`budget.${bad}\` is no finite number of zero or more` },
    );
  }
}

/** The executor of an agent: its archetype's, else a model call. `kind: <adapter id>` is the older spelling of a harness. */
export function executorChoice(archetype: Art | null, catalogue: ExecutorCatalogue): ExecutorChoice {
  const executor = objectAt(archetype?.value ?? null, 'executor');
  const kind = textAt(executor, 'kind');
  if (executor === null || kind === null || kind === 'model') return MODEL;
  const config = objectAt(executor, 'config') ?? {};
  const doubt = onInDoubt(textAt(executor, 'on_in_doubt'), 'write');
  if (kind === 'harness') return { kind, ref: textAt(executor, 'ref') ?? '', config, onInDoubt: doubt };
  if (catalogue.adapters.has(kind)) return { kind: 'harness', ref: kind, config, onInDoubt: doubt };
  return { kind: 'plugin', ref: kind, config, onInDoubt: doubt };
}
