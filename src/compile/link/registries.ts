import type { Artifact, Kind } from '../../domain/artifact.js';
import type {
  Archetype,
  Contract,
  EvalSet,
  ExecutorAdapter,
  Funnel,
  ModelProvider,
  RoleRegistry,
  Skill,
  Topology,
  Trigger,
  Workspace,
} from '../../domain/generated/artifacts.js';
import type { JsonObject } from '../../domain/json.js';
import { objectAt, textAt } from '../read.js';
import type { Report } from '../report.js';

/** An artifact of any kind, read through the readers of `read.ts`. */
export type Art = Artifact<JsonObject>;

/** The type of each kind, which the schema phase has checked an artifact of it to have. */
interface Kinds {
  readonly Workspace: Workspace;
  readonly Topology: Topology;
  readonly Archetype: Archetype;
  readonly Skill: Skill;
  readonly Funnel: Funnel;
  readonly Contract: Contract;
  readonly RoleRegistry: RoleRegistry;
  readonly Trigger: Trigger;
  readonly ExecutorAdapter: ExecutorAdapter;
  readonly ModelProvider: ModelProvider;
  readonly EvalSet: EvalSet;
}

/** A checked artifact of one kind. */
export type Checked<K extends Kind> = Artifact<Kinds[K]>;

type ById<K extends Kind> = ReadonlyMap<string, Checked<K>>;

/**
 * Every artifact by id. The first of two with one id stays; nothing that merely failed a rule is
 * taken out, so nothing cascades.
 */
export interface Registries {
  readonly config: Checked<'Workspace'>;
  /** By `name@version`. */
  readonly topologies: ById<'Topology'>;
  readonly archetypes: ById<'Archetype'>;
  readonly skills: ById<'Skill'>;
  readonly funnels: ById<'Funnel'>;
  readonly contracts: ById<'Contract'>;
  readonly triggers: ById<'Trigger'>;
  readonly adapters: ById<'ExecutorAdapter'>;
  readonly providers: ById<'ModelProvider'>;
  readonly evalSets: ById<'EvalSet'>;
  readonly roles: readonly Checked<'RoleRegistry'>[];
}

/** The checked artifacts of a kind; call it after the schema phase alone. */
export const ofKind = <K extends Kind>(artifacts: readonly Art[], kind: K): readonly Checked<K>[] =>
  artifacts.filter((artifact): artifact is Checked<K> => artifact.kind === kind);

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

function registryOf<K extends Kind>(artifacts: readonly Art[], kind: K, report: Report): ById<K> {
  const found = new Map<string, Checked<K>>();
  const rule = KEYS[kind];
  for (const artifact of ofKind(artifacts, kind)) {
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
export function buildRegistries(config: Checked<'Workspace'>, artifacts: readonly Art[], report: Report): Registries {
  const of = <K extends Kind>(kind: K) => registryOf(artifacts, kind, report);
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
    roles: ofKind(artifacts, 'RoleRegistry'),
  };
}
