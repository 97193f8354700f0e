import type { JsonObject } from '@kit-run/kit/plugin';

const head = (kind: string, metadata: JsonObject, more: JsonObject): JsonObject => ({
  apiVersion: 'kit/v1',
  kind,
  metadata,
  ...more,
});

/** A workspace without a memory. */
export const workspaceOf = (): JsonObject =>
  head('Workspace', { id: 'verify', name: 'Verify' }, { memory: { enabled: false } });

/** The agent of one case. */
export const archetypeOf = (
  ref: string,
  of: {
    readonly name: string;
    readonly config: JsonObject;
    readonly outputSchema?: JsonObject | undefined;
    readonly hasSkill?: boolean | undefined;
  },
): JsonObject =>
  head(
    'Archetype',
    { id: of.name, name: of.name, description: 'Verifies a program.' },
    {
      role: 'worker',
      defaults: of.outputSchema === undefined ? {} : { output_schema: of.outputSchema },
      executor: { kind: 'harness', ref, config: of.config },
      ...(of.hasSkill === true ? { skills: ['remark'] } : {}),
      provenance: { authored_by: 'human', version: '1.0.0' },
    },
  );

/** A skill that says the same each time; no language model is involved. */
export const remarkOf = (): JsonObject =>
  head(
    'Skill',
    { id: 'remark', name: 'Remark', description: 'Says the remark of the day.' },
    {
      category: 'capability',
      implementation: {
        type: 'llm_prompt',
        prompt: 'Say it.',
        model: { provider: 'mock', name: 'mock', options: { script: [{ text: REMARK }] } },
      },
      provenance: { authored_by: 'human', version: '1.0.0' },
    },
  );

/** What it says. */
export const REMARK = 'remarked-by-kit';

export const topologyOf = (name: string): JsonObject =>
  head(
    'Topology',
    { name, version: '1.0.0', description: 'Verifies a program.' },
    { agents: { root: { id: 'coder', role: 'root', archetype: name } } },
  );
