import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RunWrite } from '../../../../src/domain/journal.js';
import type { Documents } from '../../../support/shows-effect.js';
import { described, head, provenance, workspace } from './agent-scene.js';

/**
 * A harness: prints what it was given, then one line of every kind that the adapter's rules know,
 * and leaves a change behind.
 */
const TOOL = `IN=$(tr -d '\\n"')
echo '{"type":"start","session":"s-1","other":"s-2"}'
echo "{\\"type\\":\\"say\\",\\"text\\":\\"args $* env $A$B in $IN\\"}"
told() { [ -z "$2" ] || echo "{\\"type\\":\\"say\\",\\"text\\":\\"$1 $(cd "$2" && ls | tr '\\n' ' ' && cat *.toml | tr '\\n"' '  ')\\"}"; }
told C "$C"; told D "$D"
echo 'no JSON at all'
echo '{"type":"calls","list":[{"name":"one","state":"done"},{"name":"two","state":"bad"}],"more":[{"name":"three","state":"done"}]}'
echo changed > changed.txt
for file in "$@"; do case "$file" in */tools.json)
  sed 's/"command".*//' "$file" >> tools.txt ;;
*/settings.json)
  hook=$(sed -n 's/.*"command":"\\([^"]*\\)","timeout".*/\\1/p' "$file")
  event='{"tool_name":"mcp__kit__x","tool_use_id":"c-1","tool_input":{"path":"changed.txt","other":"/elsewhere"}}'
  echo "$event" | sh -c "$hook" >> answers.txt
esac; done
echo '{"type":"end","status":"success"}'
`;

const rule = (type: string, more: Readonly<Record<string, unknown>>) => ({ when: { type }, ...more });

const spec = {
  launch: {
    command: ['sh', 'tool.sh'],
    optional_args: [{ when: 'config.model', args: ['--model', '{config.model}'] }],
    env: { A: 'a' },
  },
  auth: { default: 'api_key', modes: { api_key: { env: { B: 'key' } }, subscription: { env: { B: 'plan' } } } },
  stream: { format: 'jsonl' },
  event_map: [
    rule('calls', {
      for_each: '$.list',
      emit: [
        {
          event: 'tool_call',
          with: { status: { from: '$.state', map: 'status_map' }, tool: '$.name', input_summary: '$.state' },
        },
      ],
    }),
    rule('start', { set: { session_id: '$.session' } }),
    rule('say', { emit: [{ event: 'message', with: { role: 'assistant', text: '$.text' } }] }),
    rule('end', { emit: [{ event: 'result', with: { status: '$.status' } }] }),
  ],
  status_map: { done: 'ok', bad: 'error' },
  other_map: { done: 'error', bad: 'ok' },
  resume: { arg: ['--resume', '{resume.token}'] },
};

const adapter = (id: string, command: readonly string[]) => ({
  ...head('ExecutorAdapter'),
  metadata: described(id),
  spec: { ...spec, launch: { ...spec.launch, command } },
  provenance,
});

/**
 * One agent that a harness adapter of the workspace carries out; the first adapter file holds the
 * key.
 */
export const HARNESS: Documents = {
  'workspace.json': workspace,
  'topologies/main.json': {
    ...head('Topology'),
    metadata: { name: 'main', version: '1.0.0' },
    agents: { root: { id: 'root', role: 'root', archetype: 'first' } },
  },
  'archetypes/first.json': {
    ...head('Archetype'),
    metadata: described('first'),
    role: 'root',
    defaults: { model: { provider: 'mock' } },
    executor: { kind: 'harness', ref: 'a-tool', config: { model: 'm-1' } },
    provenance,
  },
  'skills/note.json': {
    ...head('Skill'),
    metadata: described('note'),
    category: 'capability',
    implementation: { type: 'llm_prompt', prompt: 'Note.' },
    provenance,
  },
  'adapters/a-tool.json': adapter('a-tool', ['sh', 'tool.sh']),
  'adapters/other.json': adapter('other', ['sh', 'tool.sh', 'other']),
};

/** A repository whose one commit holds the harness, made once and copied. */
export interface ToolRepository {
  readonly copyTo: (directory: string) => Promise<void>;
  readonly remove: () => Promise<void>;
}

export async function makeToolRepository(): Promise<ToolRepository> {
  const directory = await mkdtemp(join(tmpdir(), 'kit-effect-repository-'));
  await writeFile(join(directory, 'tool.sh'), TOOL);
  const env = { PATH: process.env.PATH ?? '', HOME: directory, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: readonly string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: directory,
      env,
    });
  await git('init', '--quiet', '--template=', '--initial-branch=main');
  await git('add', 'tool.sh');
  await git('commit', '--quiet', '--message=first');
  return {
    copyTo: async (target) => {
      await cp(join(directory, '.git'), join(target, '.git'), { recursive: true });
      await writeFile(join(target, 'tool.sh'), TOOL);
      // Settings of who runs kit that switch hooks off.
      const settings = join(target, '.kit', '.kit-test-settings');
      await mkdir(settings, { recursive: true });
      await writeFile(join(settings, 'off.json'), '{"disableAllHooks": true}');
      await writeFile(join(settings, 'one.toml'), 'a = 1\nb = 2\n');
      await writeFile(join(settings, 'two.toml'), 'a = 3\n');
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** The process dies once the session is known. */
export const diesInSession = (write: RunWrite): boolean => write.op === 'step.noted' && 'session' in write.notes;
