/**
 * A workspace of one agent, played by a script, whose one command a person is asked about. The
 * server knows two people: `dana`, who submits, and `ann`, who decides.
 */
export const parkedWorkspace = (slots: number, command: string): Readonly<Record<string, string>> => ({
  '.gitignore': '.kit/\n',
  'workspace.yaml': `apiVersion: kit/v1
kind: Workspace
metadata: { id: parked, name: Parked }
memory: { enabled: false }
server:
  jobs: { max_concurrent: ${slots} }
  auth:
    provider: api_key
    config:
      keys:
        - { key_ref: "env:DANA_KEY", client_id: dana, tier: run }
        - { key_ref: "env:ANN_KEY", client_id: ann, tier: run }
`,
  'archetypes/coder.yaml': `apiVersion: kit/v1
kind: Archetype
metadata: { id: coder, name: Coder, description: Makes one call that a person is asked about. }
role: root
defaults: {}
executor:
  kind: harness
  ref: rehearsal
  config:
    script: [{ run: ${JSON.stringify(command)} }, { say: done }]
    permissions: [{ kind: execute, then: ask }]
provenance: { authored_by: human, version: 1.0.0 }
`,
  'roles/people.yaml': `apiVersion: kit/v1
kind: RoleRegistry
metadata: { id: people, name: People }
roles: [{ id: operators, members: [ann], scopes: ["harness:approve"] }]
`,
  'topologies/parked.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: parked, version: 1.0.0 }
agents: { root: { id: coder, role: root, archetype: coder } }
`,
});
