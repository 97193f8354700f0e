import { vi } from 'vitest';
import { gated, PEOPLE, roleFile } from '../review/gated-workspace.js';
import { noteSkill } from '../workspaces.js';
import { lastOf } from '../world.js';
import { type Scene, talk } from './scene.js';
import type { Row } from './situations.js';

const task = (run: string, role: string): string => `mpa-${run}:writer-0-${role}`;

/** A parked run of `release`, submitted by somebody who signs nothing. */
async function parked(scene: Scene, text: Parameters<typeof gated>[0] = {}): Promise<string> {
  scene.write(gated(text));
  return String(lastOf(await scene.kit('run', 'release', '--input', 'hi', '--as', 'dana', '--json')).id);
}

async function decide(scene: Scene, item: string, who: string, ...how: readonly string[]): Promise<void> {
  const result = await scene.kit('review', 'resolve', item, '--as', who, ...how);
  if (result.code !== 0) throw new Error(`${item} was not decided: ${result.stdout}${result.stderr}`);
}

/** Looks until the clock has made the deadline count. */
async function until(scene: Scene, run: string, code: string): Promise<string> {
  await vi.waitUntil(async () => (await scene.why(run)).code === code, { timeout: 60_000, interval: 100 });
  return run;
}

const GATES: readonly Row[] = [
  { code: 'waiting.gate', actor: 'person', names: ['qa-1', 'qa-2'], make: parked, becomes: 'waiting.gate-next-role' },
  {
    code: 'waiting.gate-next-role',
    actor: 'person',
    names: ['ops-1'],
    make: async (scene) => {
      const run = await parked(scene);
      await decide(scene, task(run, 'qa'), 'qa-1', '--approve');
      return run;
    },
    becomes: 'completed.done',
  },
  {
    code: 'waiting.gate-rework',
    actor: 'person',
    make: async (scene) => {
      const run = await parked(scene);
      await decide(scene, task(run, 'qa'), 'qa-1', '--changes-requested', '--comment', 'shorter', '--resume');
      return run;
    },
    becomes: 'waiting.gate-next-role',
  },
  {
    code: 'waiting.gate-nobody',
    actor: 'author',
    names: [],
    make: async (scene) => {
      const run = await parked(scene);
      scene.write({ 'roles/people.yaml': roleFile(PEOPLE.replace('[qa-1, qa-2]', '[]')) });
      await decide(scene, task(run, 'ops'), 'ops-1', '--approve');
      return run;
    },
    fix: (scene) => scene.write({ 'roles/people.yaml': roleFile(PEOPLE) }),
    becomes: 'waiting.gate-next-role',
  },
  {
    code: 'waiting.gate-escalated',
    actor: 'person',
    make: async (scene) => {
      const run = await parked(scene, {
        approve: '  expires_after: 10s\n  on_expiry: escalate\n  escalate_to: [ops]\n',
      });
      return until(scene, run, 'waiting.gate-escalated');
    },
    // Others are still asked, in the same situation.
  },
  {
    code: 'waiting.gate-reopened',
    actor: 'person',
    make: async (scene) => {
      const roles = PEOPLE.replace('[qa-1, qa-2]', '[ann, qa-2]').replace('[ops-1]', '[ann]');
      const run = await parked(scene, { roles, approve: '  min_distinct_approvers: 2\n' });
      await decide(scene, task(run, 'ops'), 'ann', '--approve');
      await decide(scene, task(run, 'qa'), 'ann', '--approve');
      return run;
    },
    becomes: 'completed.done',
  },
  {
    code: 'waiting.resume',
    actor: 'submitter',
    names: ['dana'],
    make: async (scene) => {
      const run = await parked(scene, { workspace: 'gates: { auto_resume: false }\n' });
      await decide(scene, task(run, 'qa'), 'qa-1', '--approve');
      await decide(scene, task(run, 'ops'), 'ops-1', '--approve');
      return run;
    },
    becomes: 'completed.done',
  },
  {
    code: 'failed.gate-rejected',
    actor: 'submitter',
    names: ['dana'],
    make: async (scene) => {
      const run = await parked(scene);
      await decide(scene, task(run, 'qa'), 'qa-1', '--reject', '--comment', 'not this week', '--resume');
      return run;
    },
    fix: () => undefined,
    becomes: 'failed.superseded',
  },
  {
    code: 'claimable.again',
    actor: 'submitter',
    make: async (scene) => until(scene, await parked(scene, { approve: '  expires_after: 1s\n' }), 'claimable.again'),
    becomes: 'failed.gate-rejected',
  },
];

const NOTE = { do: 'answer', calls: [{ name: 'note', arguments: { text: 'x' } }] } as const;
const noteOnce = (request: { readonly body: { readonly messages: readonly { readonly role: string }[] } }) =>
  request.body.messages.at(-1)?.role === 'tool' ? ({ do: 'answer', text: 'ok' } as const) : NOTE;

/** A run whose agent notes something. */
function notes(
  scene: Scene,
  argv: string,
  of: { readonly pack?: string; readonly skill?: string; readonly isAsked?: boolean } = {},
): void {
  const { workspace: text, files } = noteSkill(argv, of.pack);
  const workspace =
    of.isAsked === true ? text.replace('effects: write', 'effects: write\n        on_in_doubt: ask') : text;
  const skill = (files['skills/note.yaml'] ?? '').replace('provenance:', `${of.skill ?? ''}provenance:`);
  scene.write(talk({ workspace, agent: '    skills: [note]\n', files: { ...files, 'skills/note.yaml': skill } }));
  scene.reply = noteOnce;
}

const itemOf = async (scene: Scene): Promise<string> => {
  const { items } = lastOf(await scene.kit('review', 'list', '--json')) as {
    items?: readonly { readonly id: string }[];
  };
  return items?.[0]?.id ?? 'none';
};

/** The run of the one item that waits: it stands for it. */
const runOf = async (scene: Scene): Promise<string> => {
  const { items } = lastOf(await scene.kit('review', 'list', '--json')) as {
    items?: readonly { readonly run_id: string }[];
  };
  return items?.[0]?.run_id ?? 'none';
};

const ITEMS: readonly Row[] = [
  {
    code: 'waiting.permission',
    actor: 'person',
    names: [],
    make: (scene) => {
      notes(scene, "[echo, 'noted {text}']", { pack: '    permission: strict\n' });
      return scene.run();
    },
    becomes: 'completed.done',
  },
  {
    code: 'waiting.person',
    actor: 'person',
    make: (scene) => {
      notes(scene, "[sh, -c, 'exit 3', note, '{text}']", { skill: 'constraints: { on_failure: escalate_to_human }\n' });
      return scene.run();
    },
    fix: async (scene) => void (await scene.kit('review', 'answer', await runOf(scene), 'done by hand')),
    becomes: 'completed.done',
  },
  {
    code: 'waiting.in-doubt',
    actor: 'person',
    make: async (scene) => {
      notes(scene, "[sh, -c, 'touch begun; sleep 600', note, '{text}']", { isAsked: true });
      const live = scene.start('run', 'talk', '--input', 'hi', '--json');
      const [, run = ''] = await live.sees(/"run_id":"([0-9a-f]{12})"/);
      await live.sees(/"event_type":"model.called"/);
      await begun(scene);
      live.child.kill('SIGKILL');
      await live.ended;
      await scene.kit('run', `--resume=${run}`);
      return run;
    },
    fix: async (scene) => void (await scene.kit('review', 'answer', await itemOf(scene), 'it took effect')),
    becomes: 'completed.done',
  },
];

async function begun(scene: Scene): Promise<void> {
  const { existsSync } = await import('node:fs');
  const deadline = Date.now() + 30_000;
  while (!existsSync(`${scene.dir}/begun`)) {
    if (Date.now() > deadline) throw new Error('the command never began');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const WAITING: readonly Row[] = [...GATES, ...ITEMS];
