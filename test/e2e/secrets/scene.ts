import { join } from 'node:path';
import type { Reply } from '../../support/components/provider-servers/reply.js';
import { type ModelServer, type RecordedRequest, startModelServer } from '../../support/model-server.js';
import { triggerFile } from '../../support/triggers/trigger-world.js';
import { gated, PEOPLE, roleFile } from '../review/gated-workspace.js';
import { type Call, callOf, SCENE_SERVER, skillFile } from '../tools/tool-world.js';
import { harnessWorkspace, localProvider, noteSkill, talk } from '../workspaces.js';

/**
 * A value for every place of a workspace that takes a credential, by the variable that holds it. No
 * name of a variable says that it is a secret.
 */
export const PLANTED = {
  AT_SERVER_ENV: 'env4/+f1b9c-planted=at server',
  AT_SPLIT: 'spl/+77a0de-plant=ed',
  AT_HEADER: 'hdr0/+c9e31-planted=header',
  AT_BEARER: 'brr1/+d02f4-planted=bearer',
  AT_PACK: 'pck2/+e13a5-"planted"=pack',
  AT_HARNESS: 'hrn3/+f24b6-planted=harness',
  AT_HOOK: 'hok4/+035c7-planted=hook',
  AT_SINK: 'snk5/+146d8-planted=sink',
} as const;

/** The same for what kit itself is given. */
export const GIVEN = {
  LOCAL_KEY: 'mdl6/+257e9-planted=model',
  OPS_CALLER: 'ops7/+368fa-planted=caller',
  KIT_OTEL_API_KEY: 'otl8/+479ab-planted=otel',
  KIT_OAUTH_KEY: Buffer.from('oau9/+58abc-planted=oauth-key!!!').toString('base64'),
} as const;

/** Stands in a call of the script for the key that the model was asked with. */
export const KEY = '$THE_KEY';

interface Message {
  readonly role: string;
  readonly content?: unknown;
}

const textOf = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content ?? ''));

/**
 * A model that knows the key it is asked with and says it in all that it says: answers, arguments
 * of calls, memories, judgements.
 */
export const startTellingModel = (): Promise<ModelServer> => startModelServer(report);

function report({ body, headers }: RecordedRequest): Reply {
  const key = String(headers.authorization).replace('Bearer ', '');
  const messages: readonly Message[] = body.messages;
  const texts = messages.map(({ content }) => textOf(content));
  const said = texts.join('\n');
  if (said.includes('keep the memory')) {
    const memory = { subject: 'canary', attribute: 'remembered', type: 'semantic', confidence: 0.9, relation: null };
    return { do: 'answer', text: JSON.stringify({ memories: [{ ...memory, value: `canary-memory is ${key}` }] }) };
  }
  if (said.includes('canary-refusal'))
    return { do: 'status', status: 401, message: `canary-refused: the key ${key} is wrong` };
  const asked = texts.find((text) => text.startsWith('[['));
  const turns: readonly (readonly Call[])[] = asked === undefined ? [] : JSON.parse(asked);
  const done = messages.filter(({ role }) => role === 'assistant').length;
  const calls = turns[done]?.map((call, index) => ({
    id: `c${done}.${index}`,
    name: call.name,
    arguments: JSON.parse(JSON.stringify(call.arguments).replaceAll(KEY, JSON.stringify(key).slice(1, -1))),
  }));
  if (calls !== undefined) return { do: 'answer', calls };
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content));
  return { do: 'answer', text: `canary-answer by ${key}: ${results.join(' | ')}` };
}

const CREDENTIALS = Object.keys(PLANTED)
  .map((name) => `  ${refOf(name)}: { source: env, config: { env: ${name} } }\n`)
  .join('');

function refOf(variable: string): string {
  return variable.toLowerCase().replaceAll('_', '-');
}

const mark = (words: string, variable: string): string =>
  `echo "canary-${words} $${variable} $(printf %s "$${variable}" | base64 -w0)"`;

export const TOOLS = ['leak', 'split', 'tell', 'fail', 'tell-bearer', 'refuse', 'greet', 'note', 'research'] as const;

/** The first turn calls every tool, the second one that a person has to permit. */
export const SCRIPT = JSON.stringify([
  TOOLS.map((name) =>
    name === 'research'
      ? { name, arguments: { text: JSON.stringify([[callOf('note', 'x')]]) } }
      : callOf(name, `canary-argument ${KEY}`),
  ),
  [callOf('keep', `canary-permission ${KEY}`)],
]);

interface SceneParts {
  /** Base of the files that servers of tools write. */
  readonly base: string;
  readonly httpServer: string;
  readonly receiver: string;
  /** Endpoint of a server that wants a login. */
  readonly loginServer: string;
}

/**
 * A workspace with a secret in every place that takes one, and something behind each that repeats
 * it.
 */
export function plantedWorkspace({ base, httpServer, receiver, loginServer }: SceneParts): Record<string, string> {
  const note = noteSkill(
    `[sh, -c, '${mark('pack', 'TOKEN')}; ${mark('pack-stderr', 'TOKEN')} >&2', note, '{text}']`,
    "    credentials_ref: at-pack\n    env: { TOKEN: '{credential.at-pack}' }\n",
  );
  const server = (id: string, more = ''): string =>
    `  - { id: ${id}, transport: stdio, command: [${process.execPath}, ${SCENE_SERVER}, ${join(base, `${id}.notes`)}], env: { SECRET: "{credential.at-server-env}", SPLIT: "{credential.at-split}" }${more} }\n`;
  const skills: readonly (readonly [string, string, string])[] = [
    ['leak', 'scene', 'leak'],
    ['split', 'scene', 'split'],
    ['keep', 'guarded', 'keep'],
    ['tell', 'headers', 'tell'],
    ['fail', 'headers', 'fail'],
    ['tell-bearer', 'bearer', 'tell'],
    ['refuse', 'bearer', 'refuse'],
    ['greet', 'notes', 'greet'],
  ];
  const harness = harnessWorkspace(
    `${mark('harness-stderr', 'HARNESS_TOKEN')} >&2; printf "{\\"type\\":\\"done\\",\\"text\\":\\"canary-harness %s\\"}\\n" "$HARNESS_TOKEN"`,
  );
  const signed = gated();
  const files = talk({
    provider: 'local',
    root: `    skills: [${[...TOOLS, 'keep'].join(', ')}]\n`,
    workspace: `credentials:
${CREDENTIALS}  notes: { source: oauth, config: { endpoint: "${loginServer}" } }
governance: { provider: agt, policy_language: yaml, config: { policies_dir: ./policies } }
server: { auth: { provider: api_key, config: { keys: [{ key_ref: "env:OPS_CALLER", client_id: ops, tier: admin }] } } }
events: [{ sink: webhook, url: "${receiver}", credentials_ref: at-sink, types: [run.ended, skill.executed, hitl.requested] }]
mcp_servers:
${server('scene')}${server('guarded', ', permission: strict')}  - { id: headers, transport: http, endpoint: "${httpServer}", headers: { x-key: "{credential.at-header}" } }
  - { id: bearer, transport: http, endpoint: "${httpServer}", credentials_ref: at-bearer }
  - { id: notes, transport: http, endpoint: "${loginServer}", credentials_ref: notes }
${note.workspace}`,
    files: {
      ...note.files,
      'providers/local.yaml': localProvider,
      'policies/all.yaml': 'name: all\ndefault_action: allow\nrules: []\n',
      'roles/people.yaml': roleFile(PEOPLE),
      'funnels/sign-off.yaml': `${signed['funnels/sign-off.yaml']}`,
      'topologies/release.yaml': `${signed['topologies/release.yaml']}`.replace('provider: mock', 'provider: local'),
      'topologies/research.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: research, version: 1.0.0 }
agents: { root: { id: searcher, role: root, model: { provider: local, name: m1 }, prompt: { system: You search. }, skills: [note] } }
`,
      'skills/research.yaml': `apiVersion: kit/v1
kind: Skill
metadata: { id: research, name: Research, description: Asks another topology. }
category: capability
inputs: { type: object, properties: { text: { type: string } }, required: [text] }
implementation: { type: agent, topology: research }
provenance: { authored_by: human, version: 1.0.0 }
`,
      'adapters/own.yaml': `${harness['adapters/own.yaml']}`.replace(
        'spec:\n',
        'spec:\n  auth: { default: api_key, modes: { api_key: { env: { HARNESS_TOKEN: "{credential.model_provider}" } } } }\n',
      ),
      'archetypes/runner.yaml': `${harness['archetypes/runner.yaml']}`.replace(
        'config: {',
        'config: { credentials_ref: at-harness,',
      ),
      'topologies/own.yaml': `${harness['topologies/own.yaml']}`,
      'triggers/hook.yaml': triggerFile(
        'hook',
        'type: webhook\ntargets: [research]\nconfig: { auth: { method: hmac, credentials_ref: at-hook } }\n',
      ),
      'evals/smoke.yaml':
        'apiVersion: kit/v1\nkind: EvalSet\nmetadata: { id: smoke }\ntarget: research\ncases:\n  - { id: canary-case, input: say, expect: { contains: [nothing like it] } }\n',
      ...Object.fromEntries(skills.map(([skill, of, tool]) => [`skills/${skill}.yaml`, skillFile(skill, of, tool)])),
    },
  });
  return { ...files, 'workspace.yaml': `${files['workspace.yaml']}`.replace('memory: { enabled: false }\n', '') };
}
