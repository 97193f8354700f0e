import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How long a claim lasts, in seconds: on PostgreSQL nobody goes on before it is over. */
export const LEASE_SECONDS = 5;

export const TOPOLOGY = 'built-in';
/** Who submits the built-in run, and who signs at its gate. */
export const AUTHOR = 'doctor';
export const SIGNER = 'signer-1';

const PROVENANCE = 'provenance: { authored_by: derived_from_template, version: 1.0.0 }\n';

const archetype = (id: string, role: string): string => `apiVersion: kit/v1
kind: Archetype
metadata: { id: ${id}, name: ${id}, description: Answers its task. }
role: ${role}
defaults: { model: { provider: mock, name: mock }, prompt: { system: Answer the task. } }
${PROVENANCE}`;

/**
 * A root that delegates to two children at once and answers with what they said; one of them waits
 * for a signature.
 */
const FILES: Readonly<Record<string, string>> = {
  'workspace.yaml': `apiVersion: kit/v1
kind: Workspace
metadata: { id: crash, name: Built-in run }
memory: { enabled: false }
server: { jobs: { lease_seconds: ${LEASE_SECONDS} } }
`,
  'topologies/built-in.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: ${TOPOLOGY}, version: 1.0.0 }
agents:
  root:
    id: lead
    role: root
    archetype: leader
    children:
      - { id: plain, role: worker, archetype: speaker }
      - { id: signed, role: worker, archetype: speaker, funnel: sign-off }
`,
  'archetypes/leader.yaml': archetype('leader', 'root'),
  'archetypes/speaker.yaml': archetype('speaker', 'worker'),
  'funnels/sign-off.yaml': `apiVersion: kit/v1
kind: Funnel
metadata: { id: sign-off, name: Sign-off, description: One person signs. }
approve:
  rules: [{ scope: release:sign, roles: [signer], quorum: all }]
  exclude_author: true
${PROVENANCE}`,
  'roles/people.yaml': `apiVersion: kit/v1
kind: RoleRegistry
metadata: { id: people, name: People }
roles: [{ id: signer, members: [${SIGNER}], scopes: [release:sign] }]
identities: [{ id: ${AUTHOR}, aliases: [] }, { id: ${SIGNER}, aliases: [] }]
`,
};

/** Writes the workspace of the built-in run. */
export function writeCrashWorkspace(directory: string): void {
  for (const [name, text] of Object.entries(FILES)) {
    const file = join(directory, name);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, text);
  }
}
