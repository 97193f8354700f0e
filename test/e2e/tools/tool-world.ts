import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Reply } from '../../support/components/provider-servers/reply.js';
import { projectRoot } from '../../support/kit-process.js';
import { type ModelServer, type RecordedRequest, startModelServer } from '../../support/model-server.js';
import { PEOPLE, roleFile } from '../review/gated-workspace.js';
import { localProvider, talk } from '../workspaces.js';
import type { World } from '../world.js';

export const SCENE_SERVER = join(projectRoot, 'test/support/components/mcp-scene-server.mjs');
export const realServer = (name: string): string =>
  join(projectRoot, 'node_modules/@modelcontextprotocol', `server-${name}`, 'dist/index.js');

/** What the scene's server wrote down. */
export interface Note {
  readonly pid: number;
  readonly did: string;
  readonly input?: { readonly text?: string };
  readonly step?: string;
}

/** A workspace in which `boss` holds one skill a tool. */
export interface ToolScene {
  readonly dir: string;
  /** Everything that the server did so far, in order. */
  readonly notes: () => readonly Note[];
  /** Lets calls of `wait-*` and `wipe` end. */
  readonly go: () => void;
}

export interface SceneText {
  /** YAML of `mcp_servers`; default: the scene's server. */
  readonly servers?: string;
  /** More YAML lines of that server, as a flow mapping: `permission: strict`. */
  readonly server?: string;
  /**
   * Names of skills with the server and the tool of each; a name alone is a tool of the scene's
   * server.
   */
  readonly tools: readonly (
    | string
    | { readonly skill: string; readonly server: string; readonly tool: string; readonly more?: string }
  )[];
  /** YAML lines below the top level of workspace.yaml. */
  readonly workspace?: string;
}

export const skillFile = (skill: string, server: string, tool: string, more = ''): string => `apiVersion: kit/v1
kind: Skill
metadata: { id: ${skill}, name: ${skill}, description: Calls the tool ${tool}. }
category: capability
implementation: { type: mcp_tool, server: ${server}, tool: ${tool} }
${more}provenance: { authored_by: human, version: 1.0.0 }
`;

export function toolScene(
  world: World,
  name: string,
  { servers, server = '', tools, workspace = '' }: SceneText,
): ToolScene {
  const notes = join(world.base, `${name}.notes`);
  const own = `  - { id: scene, transport: stdio, command: [${process.execPath}, ${SCENE_SERVER}, ${notes}]${server === '' ? '' : `, ${server}`} }\n`;
  const named = tools.map((tool) => (typeof tool === 'string' ? { skill: tool, server: 'scene', tool } : tool));
  const dir = world.files(
    name,
    talk({
      provider: 'local',
      workspace: `${workspace}mcp_servers:\n${servers ?? own}`,
      root: `    skills: [${named.map(({ skill }) => skill).join(', ')}]\n`,
      files: {
        'providers/local.yaml': localProvider,
        'roles/people.yaml': roleFile(PEOPLE),
        ...Object.fromEntries(
          named.map((one) => [
            `skills/${one.skill}.yaml`,
            skillFile(one.skill, one.server, one.tool, 'more' in one ? one.more : ''),
          ]),
        ),
      },
    }),
  );
  return {
    dir,
    notes: () =>
      existsSync(notes)
        ? readFileSync(notes, 'utf8')
            .trim()
            .split('\n')
            .map((line): Note => JSON.parse(line))
        : [],
    go: () => writeFileSync(`${notes}.go`, ''),
  };
}

export interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * A model that makes the calls of its input, one array of them a turn, and then says what the last
 * results were: the same for every resume.
 */
export const startCallingModel = (): Promise<ModelServer> => startModelServer(nextOf);

/** What `kit run --input` is given for these turns. */
export const inputOf = (...turns: readonly (readonly Call[])[]): string => JSON.stringify(turns);
export const callOf = (name: string, text = 'one'): Call => ({ name, arguments: { text } });

interface Message {
  readonly role: string;
  readonly content?: unknown;
}

function nextOf({ body }: RecordedRequest): Reply {
  const messages: readonly Message[] = body.messages;
  const asked = messages.map(({ content }) => textOf(content)).find((text) => text.startsWith('[['));
  const turns: readonly (readonly Call[])[] = asked === undefined ? [] : JSON.parse(asked);
  const done = messages.filter(({ role }) => role === 'assistant').length;
  const calls = turns[done];
  if (calls !== undefined)
    return { do: 'answer', calls: calls.map((call, index) => ({ id: `c${done}.${index}`, ...call })) };
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content));
  return { do: 'answer', text: `results: ${results.join(' | ')}` };
}

const textOf = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content ?? ''));
