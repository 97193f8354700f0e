import type { RecordedRequest, Reply } from '../model-server.js';

const provenance = 'provenance: { authored_by: human, version: 1.0.0 }\n';
const MODEL = 'model: { provider: local, name: m1 }';
const SCRIPT =
  'printf "by the harness\\n" > made.txt; echo "{\\"type\\":\\"said\\"}"; echo "{\\"type\\":\\"done\\",\\"text\\":\\"coded\\"}"';

const worker = (id: string, more = ''): string =>
  `      - { id: ${id}, role: worker, ${MODEL}, prompt: { system: You are ${id}. }${more} }\n`;

const SHAPE =
  'output_schema: { type: object, additionalProperties: false, required: [sum], properties: { sum: { type: integer } } }';

/**
 * A run of ten agents that holds one of everything: parallel children, a leader below the leader, a
 * command that works and one that fails, a harness that is a real process in a worktree, a call
 * that is tried again, and an answer that has to be corrected.
 */
export const tenAgents: Readonly<Record<string, string>> = {
  'workspace.yaml': `apiVersion: kit/v1
kind: Workspace
metadata: { id: ten, name: Ten }
memory: { enabled: false }
credentials:
  token: { source: env, config: { env: PLANTED } }
command_packs:
  - id: tools
    credentials_ref: token
    env: { TOKEN: '{credential.token}' }
    commands:
      - { id: note, description: Notes a text., argv: [sh, -c, 'echo "noted $1 with $TOKEN"; echo "log $TOKEN" >&2', note, '{text}'], effects: write, output: { parse: text } }
      - { id: refuse, description: Always fails., argv: [sh, -c, 'echo "no, $TOKEN" >&2; exit 3'], effects: read, output: { parse: text } }
`,
  'providers/local.yaml': `apiVersion: kit/v1
kind: ModelProvider
metadata: { id: local, name: Local, description: The model server of a test. }
spec:
  extends: openai-compatible
  base_url: \${MODEL_URL}
  auth: { api_key_env: LOCAL_KEY }
  models: { accept_any: true }
${provenance}`,
  'adapters/own.yaml': `apiVersion: kit/v1
kind: ExecutorAdapter
metadata: { id: own, name: Own, description: A script that stands for a harness. }
spec:
  launch: { command: [sh, -c, '${SCRIPT}', own, "{task.statement}"] }
  stream: { format: jsonl }
  event_map:
    - when: { type: said }
      emit: [{ event: message, with: { role: assistant, text: working } }]
    - when: { type: done }
      emit: [{ event: result, with: { status: success, output: "$.text" } }]
${provenance}`,
  'archetypes/coder.yaml': `apiVersion: kit/v1
kind: Archetype
metadata: { id: coder, name: Coder, description: Carried out by the adapter. }
role: worker
defaults: {}
executor: { kind: harness, ref: own, config: {} }
${provenance}`,
  ...Object.fromEntries(
    ['note', 'refuse'].map((id) => [
      `skills/${id}.yaml`,
      `apiVersion: kit/v1
kind: Skill
metadata: { id: ${id}, name: ${id}, description: A command of the test. }
category: capability
inputs: { type: object, properties: { text: { type: string } } }
implementation: { type: command, pack: tools, command: ${id} }
${provenance}`,
    ]),
  ),
  'topologies/ten.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: ten, version: 1.0.0 }
agents:
  root:
    id: chief
    role: root
    ${MODEL}
    prompt: { system: You are chief. }
    children:
${worker('noter', ', skills: [note]')}${worker('breaker', ', skills: [refuse]')}${worker('flaky')}${worker('shaper', `, ${SHAPE}`)}${worker('reader')}      - { id: coder, role: worker, archetype: coder }
      - id: lead
        role: leader
        ${MODEL}
        prompt: { system: You are lead. }
        children:
    ${worker('left')}    ${worker('right')}`,
};

type Answer = Extract<Reply, { do: 'answer' }>;
type Call = NonNullable<Answer['calls']>[number];

const delegate = (...ids: readonly string[]): Answer => ({
  do: 'answer',
  calls: ids.map((id): Call => ({ id: `call-${id}`, name: `delegate_to_${id}`, arguments: { task: `work of ${id}` } })),
});
const call = (name: string): Answer => ({
  do: 'answer',
  calls: [{ id: `call-${name}`, name, arguments: { text: 'remember this' } }],
});
const say = (text: string): Answer => ({ do: 'answer', text });

/**
 * The model behind them. `flaky` is overloaded at its first call; the key that came with the
 * request is said where a mask is due.
 */
export function createTenAgentsModel(): (request: RecordedRequest) => Reply {
  let flaky = 0;
  return ({ body, headers }) => {
    const text = JSON.stringify(body.messages[0]);
    const who = /You are (\w+)\./.exec(text)?.[1] ?? '';
    const turn = body.messages.filter((message: { role: string }) => message.role === 'assistant').length;
    const results = body.messages.at(-1)?.role === 'tool';
    switch (who) {
      case 'chief':
        return turn === 0
          ? delegate('noter', 'breaker', 'flaky', 'shaper', 'reader', 'coder', 'lead')
          : say(`all done; my key is ${headers.authorization}`);
      case 'lead':
        return turn === 0 ? delegate('left', 'right') : say('led');
      case 'noter':
        return results ? say('noted') : call('note');
      case 'breaker':
        return results ? say('it failed') : call('refuse');
      case 'flaky':
        flaky += 1;
        return flaky === 1 ? { do: 'status', status: 503, message: 'overloaded' } : say('at last');
      case 'shaper':
        return say(turn === 0 ? '{"sum": "four"}' : '{"sum": 4}');
      default:
        return say(`${who} done`);
    }
  };
}
