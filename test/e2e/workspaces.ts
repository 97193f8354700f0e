const provenance = 'provenance: { authored_by: human, version: 1.0.0 }\n';

/**
 * A provider file that speaks to the model server of a test; where it listens comes from the
 * environment.
 */
export const localProvider = `apiVersion: kit/v1
kind: ModelProvider
metadata: { id: local, name: Local, description: The model server of a test. }
spec:
  extends: openai-compatible
  base_url: \${MODEL_URL}
  auth: { api_key_env: LOCAL_KEY }
  models: { accept_any: true }
${provenance}`;

export interface WorkspaceText {
  /** YAML lines below the top level of workspace.yaml. */
  readonly workspace?: string;
  /** `provider` of every agent; default `mock`. */
  readonly provider?: string;
  /** YAML lines of the root agent, indented by four. */
  readonly root?: string;
  /** More files. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A workspace with one topology `talk`: `boss` leads `helper`. */
export function talk(text: WorkspaceText = {}): Record<string, string> {
  const model = `{ provider: ${text.provider ?? 'mock'}, name: m1 }`;
  return {
    'workspace.yaml': `apiVersion: kit/v1
kind: Workspace
metadata: { id: talk, name: Talk }
memory: { enabled: false }
${text.workspace ?? ''}`,
    'topologies/talk.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: talk, version: 1.0.0, description: A leader with one helper. }
agents:
  root:
    id: boss
    role: root
    model: ${model}
    prompt: { system: You lead. }
${text.root ?? ''}    children:
      - id: helper
        role: worker
        model: ${model}
        prompt: { system: You help. }
`,
    ...text.files,
  };
}

/** A command skill `note` over a pack whose command is `argv` (a YAML list). */
export function noteSkill(
  argv: string,
  pack = '',
): { readonly workspace: string; readonly files: Readonly<Record<string, string>> } {
  return {
    workspace: `command_packs:
  - id: notes
${pack}    commands:
      - id: note
        description: Notes a text.
        argv: ${argv}
        effects: write
        output: { parse: text }
`,
    files: {
      'skills/note.yaml': `apiVersion: kit/v1
kind: Skill
metadata: { id: note, name: Note, description: Notes a text in a file. }
category: capability
inputs: { type: object, properties: { text: { type: string } }, required: [text] }
implementation: { type: command, pack: notes, command: note }
${provenance}`,
    },
  };
}

/** An agent `runner` that a harness adapter of the workspace carries out: `sh run.sh`. */
export const harnessWorkspace = (script: string, budget = ''): Record<string, string> => ({
  'workspace.yaml':
    'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: own, name: Own }\nmemory: { enabled: false }\n',
  'adapters/own.yaml': `apiVersion: kit/v1
kind: ExecutorAdapter
metadata: { id: own, name: Own, description: An adapter of this workspace. }
spec:
  launch: { command: [sh, -c, '${script}', own, "{task.statement}"] }
  stream: { format: jsonl }
  event_map:
    - when: { type: done }
      emit:
        - event: result
          with: { status: success, output: "$.text" }
${provenance}`,
  'archetypes/runner.yaml': `apiVersion: kit/v1
kind: Archetype
metadata: { id: runner, name: Runner, description: Carried out by the adapter of this workspace. }
role: root
defaults: {}
executor: { kind: harness, ref: own, config: { ${budget} } }
${provenance}`,
  'topologies/own.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: own, version: 1.0.0 }
agents: { root: { id: runner, role: root, archetype: runner } }
`,
});
