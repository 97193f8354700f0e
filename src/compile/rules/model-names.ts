import { nearest } from '../../lib/nearest.js';
import { KNOWN_MODELS } from '../generated/models.js';
import { codedProviders } from '../link/coded-providers.js';
import type { Linked } from '../link/link-workspace.js';
import { type ResolvedProvider, resolveProvider } from '../link/providers.js';
import { agentsOf } from '../link/walk-agents.js';
import type { Report } from '../report.js';
import { namedByArchetype } from './providers.js';

/** `claude-sonnet-4-5` and `claude-sonnet-5` alike: what numbers a new model has, nobody knows. */
const wordsOf = (model: string): string =>
  model
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
    .join('-');

/** The ids of a provider of this name whose server is the maker's; [] = nobody knows them. */
function knownOf(provider: ResolvedProvider | null): readonly string[] {
  if (provider === null || provider.prices.length > 0) return [];
  const id = provider.chain.find((one) => Object.hasOwn(KNOWN_MODELS, one));
  const bundled = id === undefined ? null : resolveProvider(new Map(), id);
  return id === undefined || bundled?.baseUrl !== provider.baseUrl ? [] : (KNOWN_MODELS[id] ?? '').split(' ');
}

/**
 * The id that a model with a slip in its name was meant to be; null = it is known, or its name is
 * like none that is: new models appear.
 */
function meantBy(model: string, known: readonly string[]): string | null {
  const words = wordsOf(model);
  const named = known.map((id) => ({ id, words: wordsOf(id) }));
  if (words === '' || named.some((one) => one.words === words)) return null;
  const meant = nearest(
    words,
    named.map((one) => one.words),
  );
  const alike = named.filter((one) => one.words === meant).map(({ id }) => id);
  return nearest(model, alike) ?? alike.at(-1) ?? null;
}

/**
 * A model whose name reads like a slip of one that the provider has: a warning, never an error.
 * Only of providers whose models are known, and where an agent names the model itself.
 */
export function checkModelNames(linked: Linked, report: Report): void {
  const { providers, config } = linked.registries;
  const coded = new Set(codedProviders(config.value).map(({ id }) => id));
  for (const topology of linked.topologies.values()) {
    for (const agent of agentsOf(topology.root)) {
      if (agent.executor.kind !== 'model') continue;
      const { provider, name, toolProvider, toolModel, fallback = [] } = agent.model;
      const named = [
        [provider, name],
        [toolProvider ?? provider, toolModel],
        ...fallback.map((one) => [one.provider, one.model]),
      ];
      for (const [id = null, model = null] of named) {
        if (id === null || model === null || coded.has(id)) continue;
        const meant = meantBy(model, knownOf(resolveProvider(providers, id)));
        if (meant === null) continue;
        report.add(
          { artifact: topology.artifact, pointer: agent.pointer },
          {
            code: 'provider.unknown-model',
            severity: 'warning',
            message: `kit knows no model \`${model}\` of the provider \`${id}\``,
            help: `did you mean \`${meant}\`? A model that is newer than this kit is used as it is written`,
            ...namedByArchetype(linked, agent, { pointer: '/defaults/model/name', value: model }),
          },
        );
      }
    }
  }
}
