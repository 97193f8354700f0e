/** Texts of a workspace with one gated agent. */
export interface GatedText {
  /** YAML lines below the top level of workspace.yaml. */
  readonly workspace?: string;
  /** YAML lines of the `approve:` block besides its rules, indented by two. */
  readonly approve?: string;
  readonly roles?: string;
}

export const PEOPLE = `roles:
  - { id: qa, members: [qa-1, qa-2], scopes: ["release:sign"] }
  - { id: ops, members: [ops-1], scopes: ["release:sign"] }
identities: [{ id: dana, aliases: [d] }]
`;

export const roleFile = (roles: string): string =>
  `apiVersion: kit/v1\nkind: RoleRegistry\nmetadata: { id: people, name: People }\n${roles}`;

/** `release`: one agent, whose work needs qa and ops. */
export const gated = (text: GatedText = {}): Record<string, string> => ({
  'workspace.yaml': `apiVersion: kit/v1
kind: Workspace
metadata: { id: gated, name: Gated }
memory: { enabled: false }
${text.workspace ?? ''}`,
  'topologies/release.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: release, version: 1.0.0, description: One gated agent. }
agents:
  root:
    id: writer
    role: root
    model: { provider: mock, name: m1 }
    prompt: { system: You write. }
    funnel: sign-off
`,
  'topologies/plain.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: plain, version: 1.0.0, description: Nobody signs. }
agents:
  root: { id: talker, role: root, model: { provider: mock, name: m1 }, prompt: { system: You talk. } }
`,
  'funnels/sign-off.yaml': `apiVersion: kit/v1
kind: Funnel
metadata: { id: sign-off, name: Sign-off, description: Two roles sign. }
approve:
  rules:
    - { scope: "release:sign", roles: [qa, ops], quorum: all }
${text.approve ?? ''}provenance: { authored_by: human, version: 1.0.0 }
`,
  'roles/people.yaml': roleFile(text.roles ?? PEOPLE),
});
