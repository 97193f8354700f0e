import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KIT, type KitResult } from '../../support/kit-process.js';
import { type ModelServer, type RecordedRequest, type Reply, startModelServer } from '../../support/model-server.js';
import { localProvider } from '../workspaces.js';
import { type LiveKit, lastOf, type World } from '../world.js';

/** A workspace of a user who sits in its directory, with a model that does as it is told. */
export interface Scene {
  readonly dir: string;
  readonly server: ModelServer;
  /** Of every kit from now on. */
  readonly env: NodeJS.ProcessEnv;
  /** What the model answers from now on; at first the text `ok`. */
  reply: Reply | ((request: RecordedRequest) => Reply);
  /** Lets a model go on that holds its answer back. */
  letGo: () => void;
  write(files: Readonly<Record<string, string>>): void;
  kit(...argv: readonly string[]): Promise<KitResult>;
  start(...argv: readonly string[]): LiveKit;
  /** `kit run talk` with these flags: the id of the run. */
  run(...flags: readonly string[]): Promise<string>;
  /** A line as it was printed, in a shell. */
  paste(line: string): Promise<{ readonly code: number | null; readonly said: string }>;
  why(run: string): Promise<Situation>;
  close(): Promise<void>;
}

/** What `kit why --json` says. */
export interface Situation {
  readonly code: string;
  readonly cause: string;
  readonly actors: readonly { readonly kind: string; readonly names: readonly string[] }[];
  readonly facts: readonly { readonly type: string }[];
  readonly next: { readonly command: string; readonly fact: string | null };
}

export interface TalkText {
  /** YAML lines below the top level of workspace.yaml. */
  readonly workspace?: string;
  /** YAML lines of the agent, indented by four. */
  readonly agent?: string;
  readonly files?: Readonly<Record<string, string>>;
}

const THINK = `apiVersion: kit/v1
kind: Skill
metadata: { id: think, name: Think, description: Thinks about a task. }
category: capability
implementation: { type: llm_prompt, prompt: Think. }
provenance: { authored_by: human, version: 1.0.0 }
`;

/** One agent on the model of the scene, with a tool on offer. */
export const talk = ({
  workspace = '',
  agent = '    skills: [think]\n',
  files = {},
}: TalkText = {}): Record<string, string> => ({
  'workspace.yaml': `apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: talk, name: Talk }\nmemory: { enabled: false }\n${workspace}`,
  'topologies/talk.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: talk, version: 1.0.0 }
agents:
  root:
    id: boss
    role: root
    model: { provider: local, name: m1 }
    prompt: { system: You talk. }
${agent}`,
  'providers/local.yaml': localProvider,
  'skills/think.yaml': THINK,
  ...files,
});

let count = 0;

export async function openScene(world: World): Promise<Scene> {
  count += 1;
  const dir = world.files(`why-${count}`, talk());
  const bin = join(world.base, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'kit'), `#!/bin/sh\nexec '${process.execPath}' '${KIT}' "$@"\n`);
  chmodSync(join(bin, 'kit'), 0o755);
  const server = await startModelServer((request) =>
    typeof scene.reply === 'function' ? scene.reply(request) : scene.reply,
  );
  const env: NodeJS.ProcessEnv = {
    MODEL_URL: server.url,
    LOCAL_KEY: 'key-of-the-test',
    KIT_MODEL_RETRIES: '0',
    KIT_AGENT_RETRIES: '0',
  };
  const kit = (...argv: readonly string[]): Promise<KitResult> => world.here(argv, { cwd: dir, env });
  const scene: Scene = {
    dir,
    server,
    env,
    reply: { do: 'answer', text: 'ok' },
    letGo: () => undefined,
    write: (files) => void world.files(`why-${dir.split('-').at(-1)}`, files),
    kit,
    start: (...argv) => world.start(argv, { cwd: dir, env, stdin: '' }),
    run: async (...flags) => {
      const result = await kit('run', 'talk', '--input', 'hi', '--json', ...flags);
      const { id } = lastOf(result);
      if (typeof id !== 'string') throw new Error(`no run: ${result.stdout}${result.stderr}`);
      return id;
    },
    paste: (line) =>
      new Promise((resolve, reject) => {
        const child = spawn('sh', ['-c', line], {
          cwd: dir,
          env: { ...world.env, ...env, PATH: `${bin}:${process.env.PATH}` },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let said = '';
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (text: string) => (said += text));
        child.once('error', reject).once('close', (code) => resolve({ code, said }));
      }),
    why: async (run) => {
      const result = await kit('why', run, '--json');
      const { situation } = lastOf(result);
      if (situation === undefined) throw new Error(`no situation: ${result.stdout}${result.stderr}`);
      return situation as Situation;
    },
    close: () => server.close(),
  };
  return scene;
}
