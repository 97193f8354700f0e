import type { AgentNode } from '../../domain/agent-node.js';
import { messageOf } from '../../domain/errors.js';
import { atPointer } from '../../lib/json-pointer.js';
import { pointerTo } from '../../lib/pointer-to.js';
import { BUNDLED_PROVIDERS, PROVIDER_FAMILIES } from '../builtin/provider-families.js';
import { codedProviders } from '../link/coded-providers.js';
import type { Linked } from '../link/link-workspace.js';
import { providerIds, resolveProvider } from '../link/providers.js';
import type { Art, Checked, Registries } from '../link/registries.js';
import { agentsOf } from '../link/walk-agents.js';
import { didYouMean, type Finding, missing, orMake, type Report } from '../report.js';
import { findCycles } from './cycles.js';

type File = Checked<'ModelProvider'>;

const CAPABILITIES = [
  ['images', 'images'],
  ['tools', 'tools'],
  ['streaming', 'streaming'],
  ['structured_output', 'structuredOutput'],
] as const;

function isKnownBase(providers: Registries['providers'], id: string): boolean {
  return (
    providers.has(id) ||
    PROVIDER_FAMILIES.some((family) => family.name === id) ||
    BUNDLED_PROVIDERS.some((provider) => provider.id === id)
  );
}

function checkCapabilities(artifact: File, providers: Registries['providers'], report: Report): void {
  const { extends: parent, capabilities: own } = artifact.value.spec;
  const base = resolveProvider(providers, parent);
  for (const [key, field] of CAPABILITIES) {
    if (own?.[key] !== true || base === null || base.capabilities[field]) continue;
    report.add(
      { artifact, pointer: pointerTo('/spec/capabilities', key) },
      {
        code: 'provider.widened-capability',
        message: `\`${key}\` cannot be true: \`${base.id}\` does not have it`,
        help: 'write false, or remove the key',
      },
    );
  }
}

function regexProblem(pattern: string): string | null {
  try {
    new RegExp(pattern);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

/** A file describes a server of a built-in family; what a plugin brings has settings of its own. */
const OF_A_PLUGIN =
  'a family of a plugin is named in workspace.yaml: `model_providers: [{ class: FAMILY, provider_id: ID, config: {} }]`';

function baseHelp(parent: string, known: readonly string[]): string {
  const help = didYouMean(parent, new Set(known));
  return help?.startsWith('did you mean') === true ? help : [help, OF_A_PLUGIN].filter(Boolean).join('; ');
}

function checkFile(artifact: File, id: string, providers: Registries['providers'], report: Report): void {
  const { extends: parent, requires, models } = artifact.value.spec;
  if (!isKnownBase(providers, parent) || (parent === id && resolveProvider(providers, id) === null)) {
    const known = [
      ...PROVIDER_FAMILIES.map((family) => family.name),
      ...BUNDLED_PROVIDERS.map((provider) => provider.id),
      ...providers.keys(),
    ];
    report.add(
      { artifact, pointer: '/spec/extends' },
      {
        code: 'provider.unknown-base',
        message: `no family or provider is called \`${parent}\``,
        help: baseHelp(parent, known),
      },
    );
  }
  if (requires === 'code')
    report.add(
      { artifact, pointer: '/spec/requires' },
      {
        code: 'provider.requires-code',
        message: `the provider \`${id}\` cannot be expressed as data`,
        help: 'install a plugin with a model provider of that name',
      },
    );
  const pattern = models?.pattern;
  const problem = pattern === undefined ? null : regexProblem(pattern);
  if (problem !== null)
    report.add({ artifact, pointer: '/spec/models/pattern' }, { code: 'provider.bad-pattern', message: problem });
  checkCapabilities(artifact, providers, report);
  checkUsable(artifact, id, providers, report);
}

/** A field that the family has no use for would silently do nothing. */
function checkUsable(artifact: Art, id: string, providers: Registries['providers'], report: Report): void {
  const family = PROVIDER_FAMILIES.find(({ name }) => name === resolveProvider(providers, id)?.family);
  for (const pointer of family?.unusable ?? []) {
    if (atPointer(artifact.value, `/spec${pointer}`) === undefined) continue;
    report.add(
      { artifact, pointer: `/spec${pointer}` },
      {
        code: 'provider.unusable-field',
        message: `the family \`${family?.name}\` does not read \`${pointer.slice(1).replaceAll('/', '.')}\``,
        help: 'remove it: every option of an agent stands at the top level of the request there',
      },
    );
  }
}

function checkCycles(providers: Registries['providers'], report: Report): void {
  const next = (id: string): readonly string[] => {
    const parent = providers.get(id)?.value.spec.extends;
    return parent !== undefined && providers.has(parent) && parent !== id ? [parent] : [];
  };
  for (const cycle of findCycles(providers.keys(), next)) {
    const artifact = providers.get(cycle[0] ?? '');
    if (artifact !== undefined)
      report.add(
        { artifact, pointer: '/spec/extends' },
        {
          code: 'provider.cycle',
          message: `providers extend each other: ${[...cycle, cycle[0]].join(' -> ')}`,
        },
      );
  }
}

/**
 * An agent may name a provider that only the machine of the run has: a warning here, an error of
 * `kit validate` and when the run starts.
 */
function checkAgents(linked: Linked, known: ReadonlySet<string>, report: Report): void {
  for (const topology of linked.topologies.values()) {
    for (const agent of agentsOf(topology.root)) {
      if (agent.executor.kind !== 'model') continue;
      const { provider: own, toolProvider, fallback = [] } = agent.model;
      for (const provider of [own, toolProvider, ...fallback.map((one) => one.provider)]) {
        if (provider === null || known.has(provider)) continue;
        report.add(
          { artifact: topology.artifact, pointer: agent.pointer },
          {
            code: 'agent.unknown-provider',
            severity: 'warning',
            message: `the agent \`${agent.id}\` names the provider \`${provider}\`, which no file and no installed plugin defines`,
            ...missingProvider(provider, known),
            ...namedByArchetype(linked, agent, { pointer: '/defaults/model/provider', value: provider }),
          },
        );
      }
    }
  }
}

/** A file makes most of them; a plugin brings the others. */
function missingProvider(provider: string, known: ReadonlySet<string>): Pick<Finding, 'help' | 'wants'> {
  const found = missing('modelProviders', provider, known);
  return { ...found, help: orMake(found.help, 'provider', provider, ' --base-url URL') };
}

/** An agent has it of its archetype where that names it: there it is corrected. */
export function namedByArchetype(
  linked: Linked,
  { archetype: id }: Pick<AgentNode, 'archetype'>,
  { pointer, value }: { readonly pointer: string; readonly value: string },
): Pick<Finding, 'related'> {
  const archetype = linked.registries.archetypes.get(id ?? '');
  if (archetype === undefined || atPointer(archetype.value, pointer) !== value) return {};
  return { related: [{ artifact: archetype, pointer, message: 'its archetype names it here' }] };
}

/** Rules on `providers/` and on who names them. `contributed` are names that plugins bring. */
export function checkProviders(linked: Linked, contributed: readonly string[], report: Report): void {
  const { providers, config } = linked.registries;
  for (const [id, artifact] of providers) checkFile(artifact, id, providers, report);
  checkCycles(providers, report);
  const coded = codedProviders(config.value).map((entry) => entry.id);
  checkAgents(linked, providerIds(providers, [...contributed, ...coded]), report);
}
