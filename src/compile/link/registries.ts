import type { Artifact, Kind } from '../../domain/artifact.js';
import type { JsonObject } from '../../domain/json.js';
import { objectAt, textAt } from '../read.js';
import type { Report } from '../report.js';

/** An artifact of any kind, read through the readers of `read.ts`. */
export type Art = Artifact<JsonObject>;

/**
 * Every artifact by id. The first of two with one id stays; nothing that merely failed a rule is
 * taken out, so nothing cascades.
 */
export interface Registries {
  readonly config: Art;
  /** By `name@version`. */
  readonly topologies: ReadonlyMap<string, Art>;
  readonly archetypes: ReadonlyMap<string, Art>;
  readonly skills: ReadonlyMap<string, Art>;
  readonly funnels: ReadonlyMap<string, Art>;
  readonly contracts: ReadonlyMap<string, Art>;
  readonly triggers: ReadonlyMap<string, Art>;
  readonly adapters: ReadonlyMap<string, Art>;
  readonly providers: ReadonlyMap<string, Art>;
  readonly evalSets: ReadonlyMap<string, Art>;
  readonly roles: readonly Art[];
}

interface KeyRule {
  readonly code: string;
  readonly pointer: string;
  readonly noun: string;
}

const BY_ID = '/metadata/id';
const KEYS: Readonly<Partial<Record<Kind, KeyRule>>> = {
  Topology: { code: 'topology.duplicate-id', pointer: '/metadata/name', noun: 'topology' },
  Archetype: { code: 'archetype.duplicate-id', pointer: BY_ID, noun: 'archetype' },
  Skill: { code: 'skill.duplicate-id', pointer: BY_ID, noun: 'skill' },
  Funnel: { code: 'funnel.duplicate-id', pointer: BY_ID, noun: 'funnel' },
  Contract: { code: 'contract.duplicate-id', pointer: BY_ID, noun: 'contract' },
  Trigger: { code: 'trigger.duplicate-id', pointer: BY_ID, noun: 'trigger' },
  ExecutorAdapter: { code: 'adapter.duplicate-id', pointer: BY_ID, noun: 'adapter' },
  ModelProvider: { code: 'provider.duplicate-id', pointer: BY_ID, noun: 'model provider' },
  EvalSet: { code: 'eval-set.duplicate-id', pointer: BY_ID, noun: 'eval set' },
};

export function idOf(artifact: Art): string {
  const metadata = objectAt(artifact.value, 'metadata');
  if (artifact.kind === 'Topology') return `${textAt(metadata, 'name') ?? ''}@${textAt(metadata, 'version') ?? ''}`;
  return textAt(metadata, 'id') ?? '';
}

function registryOf(artifacts: readonly Art[], kind: Kind, report: Report): ReadonlyMap<string, Art> {
  const found = new Map<string, Art>();
  const rule = KEYS[kind];
  for (const artifact of artifacts) {
    if (artifact.kind !== kind) continue;
    const id = idOf(artifact);
    const first = found.get(id);
    if (first === undefined) found.set(id, artifact);
    else if (rule !== undefined) {
      report.add(
        { artifact, pointer: rule.pointer },
        {
          code: rule.code,
          message: `there are two definitions of ${rule.noun} \`${id}\``,
          label: 'defined again',
          help: kind === 'Topology' ? 'raise the version, or rename one of them' : 'rename one of them',
          related: [{ artifact: first, pointer: rule.pointer, message: 'first defined here' }],
        },
      );
    }
  }
  return found;
}

/**
 * Sorts artifacts into registries and reports ids that are taken. `config` is the workspace file.
 */
export function buildRegistries(config: Art, artifacts: readonly Art[], report: Report): Registries {
  const of = (kind: Kind) => registryOf(artifacts, kind, report);
  return {
    config,
    skills: of('Skill'),
    archetypes: of('Archetype'),
    funnels: of('Funnel'),
    topologies: of('Topology'),
    triggers: of('Trigger'),
    contracts: of('Contract'),
    adapters: of('ExecutorAdapter'),
    providers: of('ModelProvider'),
    evalSets: of('EvalSet'),
    roles: artifacts.filter((artifact) => artifact.kind === 'RoleRegistry'),
  };
}
