import { HOSTILE, HOSTILE_NAME } from './hostile-text.js';
import { openWorkspace } from './open-workspace.js';
import type { ServedConsole } from './served-console.js';

const quoted = (text: string): string => JSON.stringify(text);

const evalSet = (word: string): string => `apiVersion: kit/v1
kind: EvalSet
metadata: { id: greetings }
target: plain
cases:
  - { id: ${quoted(`${HOSTILE_NAME} case`)}, input: ${quoted(`${word} ${HOSTILE}`)}, expect: { contains: [${quoted(word)}, ${quoted(HOSTILE_NAME)}] } }
  - { id: polite, input: ${quoted(HOSTILE_NAME)}, expect: { contains: [${quoted(`${word} ${HOSTILE_NAME}`)}] } }
`;

/** A workspace whose authors write hostile text wherever its kinds take a text. */
export const hostileWorkspace = (): Record<string, string> => ({
  ...openWorkspace(),
  'topologies/trap.yaml': `apiVersion: kit/v1
kind: Topology
metadata: { name: trap, version: 1.0.0, description: ${quoted(HOSTILE)} }
input_schema:
  type: object
  required: [${quoted(HOSTILE_NAME)}]
  properties:
    ${quoted(HOSTILE_NAME)}: { type: string, description: ${quoted(HOSTILE)}, enum: [${quoted(HOSTILE_NAME)}, ok] }
    n: { type: integer, description: ${quoted(HOSTILE_NAME)} }
agents:
  root:
    id: talker
    role: root
    model: { provider: mock, name: ${quoted(HOSTILE_NAME)} }
    prompt: { system: ${quoted(HOSTILE)} }
`,
  'triggers/nightly.yaml': `apiVersion: kit/v1
kind: Trigger
metadata: { id: nightly, name: ${quoted(HOSTILE_NAME)}, description: ${quoted(HOSTILE_NAME)} }
type: cron
targets: [trap]
config: { expression: "30 2 * * *", input: ${quoted(HOSTILE)} }
`,
});

/** A page, who looks, and what of it was written by somebody. */
export interface Place {
  readonly name: string;
  readonly path: string;
  readonly shows: string;
}

/** Hostile text through every entry point that takes a text, and where it is to be seen. */
export async function spread(served: ServedConsole): Promise<readonly Place[]> {
  const { ask } = served;
  const labels = { [`${HOSTILE_NAME} label`]: HOSTILE.slice(0, 1_000) };
  const run = async (topology: string, input: unknown, ended: string): Promise<string> => {
    const { id } = await ask<{ readonly id: string }>('dana', `/run/${topology}`, {
      input,
      correlation_id: HOSTILE_NAME,
      labels,
    });
    await served.until(async () => {
      const { status } = await ask<{ readonly status: string }>('dana', `/jobs/${id}`);
      if (status !== ended) throw new Error(`the run is ${status}`);
    });
    return id;
  };
  const parked = await run('release', HOSTILE, 'deferred');
  const itemOf = async (role: string): Promise<string> => {
    const { items } = await ask<{
      readonly items: readonly { readonly id: string; readonly run_id: string; readonly role: string }[];
    }>(role === 'qa' ? 'qa-1' : 'ops-1', '/inbox');
    return items.find((item) => item.run_id === parked && item.role === role)?.id ?? '';
  };
  const first = await itemOf('qa');
  await ask('qa-1', `/review/${first}/resolve`, { outcome: 'changes_requested', comment: HOSTILE });
  await served.until(async () => {
    if ([first, ''].includes(await itemOf('qa'))) throw new Error('it does not come back');
  });
  const [mine, theirs] = [await itemOf('qa'), await itemOf('ops')];
  await ask('ops-1', `/review/${theirs}/resolve`, { outcome: 'approve', comment: HOSTILE });

  const [one, two] = [await run('plain', HOSTILE, 'completed'), await run('plain', `other ${HOSTILE}`, 'completed')];
  await run('trap', { [HOSTILE_NAME]: 'ok' }, 'completed');
  for (const value of [HOSTILE, `not ${HOSTILE}`, `never ${HOSTILE}`])
    await ask('dana', '/memory', { subject: HOSTILE_NAME, attribute: 'address', value });
  const { quarantine } = await ask<{ readonly quarantine: readonly { readonly id: string }[] }>(
    'dana',
    '/memory/quarantine',
  );
  await ask('dana', `/memory/quarantine/${quarantine[0]?.id}/resolve`, { accept: true, comment: HOSTILE });
  const { id: talk } = await ask<{ readonly id: string }>('qa-1', '/conversations', { topology: 'plain' });
  await served.say('qa-1', talk, HOSTILE);
  for (const word of ['mock', 'please']) {
    served.write('evals/greetings.yaml', evalSet(word));
    await served.kit(['eval', '--json']);
  }
  const { reports } = await ask<{ readonly reports: readonly { readonly name: string }[] }>('qa-1', '/evals/reports');

  const script = '<script>globalThis.hacked=1</script>';
  const lure = encodeURIComponent(HOSTILE_NAME);
  const place = (name: string, path: string, shows: string): Place => ({ name, path, shows });
  return [
    place('inbox', '', script),
    place('item', `/items/${encodeURIComponent(mine)}`, script),
    place('item of somebody else', `/items/${encodeURIComponent(theirs)}`, script),
    place('gate', `/gates/${encodeURIComponent(`${parked}:writer`)}`, script),
    place('runs', '/runs', HOSTILE_NAME),
    place('a run that waits', `/runs/${parked}`, script),
    place('a run that is over', `/runs/${one}`, script),
    place('beside', `/runs/${one}/beside/${two}`, script),
    place('topologies', '/topologies', script),
    place('topology', '/topologies/trap', HOSTILE_NAME),
    place('topology with a gate', '/topologies/release', 'sign-off'),
    place('chat', '/chat', script),
    place('conversation', `/chat/${talk}`, script),
    place('triggers', '/triggers', 'nightly'),
    place('fleet', '/fleet', 'release'),
    place('memory', '/memory?status=all', script),
    place('evals', '/evals', 'greetings'),
    place('report', `/evals/${encodeURIComponent(reports[0]?.name ?? '')}`, HOSTILE_NAME),
    place('usage', '/usage', 'm1'),
    place('log', '/log', 'review'),
    place('an address for a run', `/runs/${lure}`, 'Nothing to show'),
    place('an address that is broken', '/runs/%25E0%25A4', '%E0%A4'),
    place('an address with filters', `/runs?correlation_id=${lure}&topology=${lure}&status=${lure}`, ''),
    place('an address with words', `/memory?query=${lure}&type=${lure}&status=${lure}`, ''),
    place('an address of nothing', `/${lure}`, 'There is no such page'),
    place('an address of a report', `/evals/${lure}?against=${lure}`, 'must match pattern'),
    place('an address of the log', `/log?run_id=${lure}&types=${lure}`, ''),
  ];
}
