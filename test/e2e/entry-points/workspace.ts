import { idleTopology } from '../../support/http/idle-workspace.js';
import { triggerFile } from '../../support/triggers/trigger-world.js';
import { noteSkill, talk } from '../workspaces.js';

/**
 * What every entry point submits: a run without an input schema, one whose input fits its schema,
 * and one whose input does not.
 */
export const CASES = {
  plain: { topology: 'talk', isRefused: false },
  fits: { topology: 'strict', isRefused: false },
  'fits-not': { topology: 'strict', isRefused: true },
} as const;
export type Case = keyof typeof CASES;

/** The same from every entry point: what a watched file gives is what the others send. */
export const inputOf = (name: Case) => ({ path: `inbox/${name}.txt`, event: 'create' }) as const;

export const HOOK_SECRET = 'a-long-shared-secret';

/** Two agents and a tool: the leader notes, delegates and answers. */
const LEADER = `${JSON.stringify([
  { tool_calls: [{ name: 'note', input: { text: 'seen' } }] },
  { tool_calls: [{ name: 'delegate_to_helper', input: { task: 'help' } }] },
  { text: 'all done' },
])}`;

const INPUT_SCHEMA = {
  type: 'object',
  required: ['path'],
  properties: { path: { type: 'string', pattern: '^inbox/fits\\.txt$' }, event: { type: 'string' } },
};

const HOOKED = 'config: { auth: { method: hmac, credentials_ref: HOOK_SECRET } }\n';
const watch = (name: Case): string =>
  `type: file_watch\ntargets: [${CASES[name].topology}]\nconfig: { root: inbox, pattern: "${name}.txt" }\n`;

export const cronFile = (name: Case): string =>
  triggerFile(
    `clock-${name}`,
    `type: cron\ntargets: [${CASES[name].topology}]\nconfig: { expression: '* * * * * *', input: ${JSON.stringify(inputOf(name))} }\n`,
  );

/**
 * `talk`, `strict` and a trigger of each type for each; cron comes by a reload, because it fires as
 * soon as it is there.
 */
export function entryWorkspace(): Record<string, string> {
  const note = noteSkill('[sh, -c, "cat > /dev/null"]');
  const triggers = {
    'hook-talk': `type: webhook\ntargets: [talk]\n${HOOKED}`,
    'hook-strict': `type: webhook\ntargets: [strict]\n${HOOKED}`,
    'hand-talk': 'type: manual\ntargets: [talk]\n',
    'hand-strict': 'type: manual\ntargets: [strict]\n',
    'watch-plain': watch('plain'),
    'watch-fits': watch('fits'),
    'watch-fits-not': watch('fits-not'),
  };
  return talk({
    // Nobody waits for a slot, whatever the others of this server do.
    workspace: `${note.workspace}server: { jobs: { max_concurrent: 50 }, a2a: { enabled: true } }\n`,
    root: `    skills: [note]\n`,
    files: {
      ...note.files,
      'inbox/.keep': '',
      'topologies/strict.yaml': idleTopology('strict', { input_schema: INPUT_SCHEMA }),
      ...Object.fromEntries(
        Object.entries(triggers).map(([id, text]) => [`triggers/${id}.yaml`, triggerFile(id, text)]),
      ),
    },
  });
}

/** The leader's script belongs to its model, which `talk` writes on one line. */
export const scripted = (files: Record<string, string>): Record<string, string> => ({
  ...files,
  'topologies/talk.yaml': (files['topologies/talk.yaml'] ?? '').replace(
    'name: m1 }',
    `name: m1, options: { script: ${LEADER} } }`,
  ),
});
