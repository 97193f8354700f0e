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
  of: { readonly name: string; readonly config: JsonObject; readonly outputSchema?: JsonObject | undefined },
): JsonObject =>
  head(
    'Archetype',
    { id: of.name, name: of.name, description: 'Verifies a program.' },
    {
      role: 'worker',
      defaults: of.outputSchema === undefined ? {} : { output_schema: of.outputSchema },
      executor: { kind: 'harness', ref, config: of.config },
      provenance: { authored_by: 'human', version: '1.0.0' },
    },
  );

export const topologyOf = (name: string): JsonObject =>
  head(
    'Topology',
    { name, version: '1.0.0', description: 'Verifies a program.' },
    { agents: { root: { id: 'coder', role: 'root', archetype: name } } },
  );
