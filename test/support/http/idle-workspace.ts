/**
 * A workspace with one topology `idle` whose only agent answers at once, and whatever else a test
 * is about.
 */
export function idleWorkspace(
  of: {
    readonly jobs?: Readonly<Record<string, unknown>>;
    readonly server?: Readonly<Record<string, unknown>>;
    readonly files?: Readonly<Record<string, string | Uint8Array>>;
    readonly workspace?: Readonly<Record<string, unknown>>;
  } = {},
): Record<string, string | Uint8Array> {
  return {
    'workspace.yaml': JSON.stringify({
      apiVersion: 'kit/v1',
      kind: 'Workspace',
      metadata: { id: 'served', name: 'Served' },
      memory: { enabled: false },
      server: { jobs: { ...of.jobs }, ...of.server },
      ...of.workspace,
    }),
    'topologies/idle.yaml': idleTopology('idle'),
    ...of.files,
  };
}

/** A topology with one agent that answers what it was asked. */
export const idleTopology = (
  name: string,
  over: {
    readonly version?: string;
    readonly options?: unknown;
    readonly skills?: readonly string[];
    /** Default: a mock with `options`. */
    readonly model?: Readonly<Record<string, unknown>>;
    readonly [key: string]: unknown;
  } = {},
): string => {
  const { version = '1.0.0', options, skills = [], model, ...rest } = over;
  return JSON.stringify({
    apiVersion: 'kit/v1',
    kind: 'Topology',
    metadata: { name, version },
    agents: {
      root: {
        id: 'boss',
        role: 'root',
        skills,
        model: model ?? { provider: 'mock', name: 'mock', ...(options === undefined ? {} : { options }) },
      },
    },
    ...rest,
  });
};
