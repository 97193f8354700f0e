import { roleFile } from '../e2e/review/gated-workspace.js';
import { harnessWorkspace, localProvider } from '../e2e/workspaces.js';

/** Who calls the api, and the variable that holds each one's key. */
export const CALLERS = {
  submitter: 'SUBMITTER_KEY',
  'qa-1': 'QA_1_KEY',
  'qa-2': 'QA_2_KEY',
  'ops-1': 'OPS_1_KEY',
} as const;
export type Caller = keyof typeof CALLERS;

/** People who sign, and the role that each of them has. */
export const APPROVERS = { 'qa-1': 'qa', 'qa-2': 'qa', 'ops-1': 'ops' } as const satisfies Partial<
  Record<Caller, string>
>;

export const KINDS = ['plain', 'gated', 'harness', 'parallel', 'mixed'] as const;
export type Kind = (typeof KINDS)[number];

/** Of a hundred runs. `mixed` has a harness and a gate among its parallel children. */
export const SHARES: Readonly<Record<Kind, number>> = { plain: 40, gated: 25, harness: 15, parallel: 12, mixed: 8 };

export interface WorkspaceSettings {
  readonly leaseSeconds: number;
  /** Runs that one process executes at once. */
  readonly concurrency: number;
  /** File on which every harness session writes what it does, and when. */
  readonly effects: string;
  /** Lines of one session, 0.25 s apart. */
  readonly lines: number;
  /** `${AUDIT_URL}` holds the log, in a database of its own. */
  readonly isAuditElsewhere: boolean;
}

/** The files of the workspace that all processes of a soak serve. */
export function soakWorkspace(settings: WorkspaceSettings): Readonly<Record<string, string>> {
  return {
    ...harnessFiles(settings),
    'workspace.yaml': workspaceFile(settings),
    'providers/local.yaml': localProvider,
    'roles/people.yaml': roleFile(
      'roles:\n  - { id: qa, members: [qa-1, qa-2], scopes: ["release:sign"] }\n  - { id: ops, members: [ops-1], scopes: ["release:sign"] }\n',
    ),
    'funnels/sign-off.yaml': FUNNEL,
    'topologies/plain.yaml': topology('plain', team('boss', [model('helper')])),
    'topologies/gated.yaml': topology(
      'gated',
      `    id: writer\n    role: root\n    model: ${MODEL}\n    prompt: { system: You are writer. }\n    funnel: sign-off\n`,
    ),
    'topologies/harness.yaml': topology('harness', '    id: runner\n    role: root\n    archetype: runner\n'),
    'topologies/parallel.yaml': topology(
      'parallel',
      team('leader', [model('scout'), model('critic'), model('scribe')]),
    ),
    'topologies/mixed.yaml': topology(
      'mixed',
      team('lead', [model('scout'), RUNNER, model('drafter', 'funnel: sign-off')]),
    ),
  };
}

const MODEL = '{ provider: local, name: m1 }';

const workspaceFile = ({
  leaseSeconds,
  concurrency,
  isAuditElsewhere,
}: WorkspaceSettings): string => `apiVersion: kit/v1
kind: Workspace
metadata: { id: soak, name: Soak }
memory: { enabled: false }
storage:
  runtime: { backend: postgres, url: "\${RUNS_URL}" }
${isAuditElsewhere ? '  audit: { backend: postgres, url: "${AUDIT_URL}" }\n' : ''}server:
  jobs: { lease_seconds: ${leaseSeconds}, max_concurrent: ${concurrency} }
  auth:
    provider: api_key
    config:
      keys:
${Object.entries(CALLERS)
  .map(([id, name]) => `        - { key_ref: 'env:${name}', client_id: ${id}, tier: run }\n`)
  .join('')}`;

const topology = (name: string, root: string): string => `apiVersion: kit/v1
kind: Topology
metadata: { name: ${name}, version: 1.0.0, description: A run of the soak. }
agents:
  root:
${root}`;

const team = (id: string, children: readonly string[]): string =>
  `    id: ${id}\n    role: root\n    model: ${MODEL}\n    prompt: { system: You are ${id}. }\n    children:\n${children.join('')}`;

const model = (id: string, more = ''): string =>
  `      - id: ${id}\n        role: worker\n        model: ${MODEL}\n        prompt: { system: You are ${id}. }\n${more === '' ? '' : `        ${more}\n`}`;

const RUNNER = '      - id: hand\n        role: worker\n        archetype: hand\n';

const FUNNEL = `apiVersion: kit/v1
kind: Funnel
metadata: { id: sign-off, name: Sign-off, description: Two roles sign. }
approve:
  rules:
    - { scope: "release:sign", roles: [qa, ops], quorum: all }
provenance: { authored_by: human, version: 1.0.0 }
`;

/**
 * The archetype and adapter of the tests' own harness, with a script that tells outside what it
 * does, and when.
 */
function harnessFiles({ effects, lines }: WorkspaceSettings): Readonly<Record<string, string>> {
  const files = harnessWorkspace(scriptOf(effects, lines));
  const archetype = files['archetypes/runner.yaml'] ?? '';
  return {
    'adapters/own.yaml': files['adapters/own.yaml'] ?? '',
    'archetypes/runner.yaml': archetype,
    'archetypes/hand.yaml': archetype.replace('id: runner', 'id: hand').replace('role: root', 'role: worker'),
  };
}

/**
 * Each line: run, step, process of this session, process of the worker that started it,
 * milliseconds since 1970. The parent of a harness is its supervisor, whose parent is the worker;
 * it is read first of all. Where the worker was killed before, it is 1.
 */
const scriptOf = (effects: string, lines: number): string =>
  [
    'worker=$(cut -d" " -f4 /proc/$PPID/stat)',
    'n=0',
    `while [ $n -lt ${lines} ]`,
    `do echo "$KIT_RUN_ID $KIT_STEP_ID $$ $worker $(date +%s%3N)" >> ${effects}`,
    'n=$((n+1))',
    'sleep 0.25',
    'done',
    'echo "{\\"type\\":\\"done\\",\\"text\\":\\"ran\\"}"',
  ].join('; ');
