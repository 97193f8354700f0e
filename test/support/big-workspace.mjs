// Writes a workspace of many artifacts, every kind among them, each referring to others: what the
// speed of validation is measured on.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PROSE =
  'Looks at the change as a whole first, then at each file, and names what it could not see. Answers in the words of the team, without repeating the question; what stays open is said in one line.';

const head = (kind, id, name) => `apiVersion: kit/v1
kind: ${kind}
metadata:
  id: ${id}
  name: ${name}
  description: >
    ${PROSE}
`;
const provenance = (n) =>
  `provenance:\n  authored_by: human\n  authored_date: "2026-04-15"\n  version: 1.${n % 10}.0\n`;

const MAKERS = {
  topologies: (n) => `apiVersion: kit/v1
kind: Topology
metadata:
  name: topology-${n}
  version: 1.${n % 7}.0
  description: Reads a change, lets two workers judge it and answers with what they found. ${n}
agents:
  root:
    id: host
    role: root
    archetype: archetype-root
    prompt:
      system: |
        You hand the work on and answer with what comes back. Say which worker said what.
    children:
      - id: reader
        role: worker
        archetype: archetype-${(n + 1) % 10}
        skills_additional: [skill-${(n + 3) % 10}]
      - id: judge
        role: worker
        archetype: archetype-${(n + 2) % 10}
        depends_on: [reader]
        model: { provider: mock, name: mock, temperature: 0.2 }
        # What the reader found comes first.
        prompt:
          system: "Judge what the reader found; say what is missing."
`,
  archetypes: (n) => `${head('Archetype', `archetype-${n}`, `Archetype ${n}`)}role: worker
defaults:
  model:
    provider: mock
    name: mock
  prompt:
    system: |
      You are a careful reviewer. Focus on correctness and maintainability.
      ${PROSE}
  skills:
    - skill-${n % 10}
    - skill-${(n + 1) % 10}
  iam:
    base_scope: [repo:read]
${provenance(n)}`,
  skills: (n) => `${head('Skill', `skill-${n}`, `Skill ${n}`)}category: capability
inputs:
  type: object
  properties:
    diff:
      type: string
    language:
      type: string
      enum: [python, typescript, go]
  required: [diff, language]
outputs:
  type: object
  properties:
    summary: { type: string }
    files: { type: array, items: { type: string } }
  required: [summary]
implementation:
  type: llm_prompt
  prompt: |
    Read the change in {{ diff }} and say in two sentences what it does.
${provenance(n)}`,
  triggers: (n) => `${head('Trigger', `trigger-${n}`, `Trigger ${n}`)}type: cron
config:
  expression: "${n % 60} ${n % 24} * * 1-5"
  timezone: Europe/Berlin
targets:
  - topology-${n % 10}
`,
  adapters: (n) => `${head('ExecutorAdapter', `adapter-${n}`, `Adapter ${n}`)}spec:
  launch:
    command: [harness-${n}, "{task.statement}", --output-format, stream-json]
    optional_args:
      - when: config.model
        args: [--model, "{config.model}"]
  stream:
    format: jsonl
  event_map:
    - when: { type: assistant }
      emit:
        - event: message
          with: { role: assistant, text: "$.text" }
    - when: { type: done }
      emit:
        - event: result
          with: { status: success, output: "$.text" }
${provenance(n)}`,
  funnels: (n) => `${head('Funnel', `funnel-${n}`, `Funnel ${n}`)}approve:
  rules:
    - scope: design:approve
      roles: [role-0-a]
      quorum: any
    - scope: code:approve
      roles: [role-0-a, role-0-b]
      quorum: all
  exclude_author: true
  on_revision: reset_all
${provenance(n)}`,
  roles: (n) => `apiVersion: kit/v1
kind: RoleRegistry
metadata:
  id: roles-${n}
  name: Roles ${n}
  description: Who may sign what, for the part of the house that this registry is about.
roles:
  - id: role-${n}-a
    members: [alice, bob, carol]
    scopes: [design:approve, code:approve, deploy:approve]
  - id: role-${n}-b
    members: [dana, erin]
    scopes: [code:approve]
`,
  contracts: (n) =>
    `${head('Contract', `contract-${n}`, `Contract ${n}`)}parties: [app-${n}, app-${n + 1}]\n${provenance(n)}`,
  providers: (n) => `${head('ModelProvider', `provider-${n}`, `Provider ${n}`)}spec:
  extends: openai-compatible
  base_url: https://models.example/v${n}
  headers:
    x-team: team-${n}
${provenance(n)}`,
  evals: (n) => `apiVersion: kit/v1
kind: EvalSet
metadata:
  id: evals-${n}
  description: The topology answers, and names what it read.
target: topology-${n % 10}
cases:
  - id: answers
    input: Look at the change that adds a second queue and say what it does to the first one
    expect:
      not_empty: true
  - id: names-the-file
    input: Which file holds the queue, and who reads from it?
    expect:
      regex: "queue|reader"
`,
};

/** How many of twenty artifacts are of a kind. */
const SHARES = {
  topologies: 6,
  archetypes: 4,
  skills: 3,
  triggers: 1,
  adapters: 1,
  funnels: 1,
  roles: 1,
  contracts: 1,
  providers: 1,
  evals: 1,
};

/** The artifacts by path; the workspace file is one of them. */
export function bigWorkspace(count) {
  const files = new Map([
    [
      'workspace.yaml',
      'apiVersion: kit/v1\nkind: Workspace\nmetadata:\n  id: big\n  name: Big\n  description: Many artifacts, and nothing wrong with them.\n',
    ],
    [
      'archetypes/root.yaml',
      `${head('Archetype', 'archetype-root', 'Root')}role: root\ndefaults:\n  model: { provider: mock, name: mock }\n${provenance(0)}`,
    ],
  ]);
  const folders = Object.entries(SHARES).flatMap(([folder, share]) => Array.from({ length: share }, () => folder));
  const next = new Map();
  for (let n = 0; files.size < count; n++) {
    const folder = folders[n % folders.length];
    const index = next.get(folder) ?? 0;
    next.set(folder, index + 1);
    files.set(`${folder}/f${index}.yaml`, MAKERS[folder](index));
  }
  return files;
}

/** Writes them below a directory; gives the texts. */
export function writeBigWorkspace(directory, count) {
  const files = bigWorkspace(count);
  for (const [path, text] of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return [...files.values()];
}
