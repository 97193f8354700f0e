const PROVENANCE = ['authored_by', 'version', 'authored_date', 'registry', 'vendor'].map((key) => `provenance.${key}`);
const DESCRIBED = ['metadata.name', 'metadata.description', ...PROVENANCE];

/**
 * Keys that people read and nothing else does, by kind: names, descriptions, provenance. No run and
 * no verdict depends on one, and a test holds them to that. Every other key has an effect.
 */
const LABELS: Readonly<Record<string, readonly string[]>> = {
  Workspace: ['command_packs.*.description'],
  // Descriptions of archetypes and skills are shown to models.
  Archetype: ['metadata.name', ...PROVENANCE, 'role'],
  Skill: ['metadata.name', ...PROVENANCE],
  Funnel: DESCRIBED,
  RoleRegistry: ['metadata.id', 'metadata.name', 'metadata.description'],
  Contract: [...DESCRIBED, 'interface'],
  Trigger: ['metadata.name', 'metadata.description'],
  ExecutorAdapter: DESCRIBED,
  ModelProvider: DESCRIBED,
  EvalSet: ['metadata', 'metadata.description', 'provenance'],
};

export const LABEL_KEYS: ReadonlySet<string> = new Set(
  Object.entries(LABELS).flatMap(([kind, keys]) => keys.map((key) => `${kind}.${key}`)),
);
