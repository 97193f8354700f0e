import { join } from 'node:path';
import { gated } from '../review/gated-workspace.js';
import { noteSkill } from '../workspaces.js';
import { type LiveKit, lastOf } from '../world.js';
import { type Scene, talk } from './scene.js';
import type { Row } from './situations.js';

interface Held {
  readonly live: LiveKit;
  readonly run: string;
}

/** A run whose model has been asked and does not answer yet; after its answer comes a boundary. */
async function held(scene: Scene): Promise<Held> {
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  scene.reply = () => {
    scene.reply = { do: 'answer', text: 'ok' };
    asked.resolve();
    return { do: 'hold', until: gate.promise, reply: { do: 'answer', calls: [{ name: 'nothing', arguments: {} }] } };
  };
  scene.letGo = () => gate.resolve();
  const live = scene.start('run', 'talk', '--input', 'hi', '--json');
  const [, run = ''] = await live.sees(/"run_id":"([0-9a-f]{12})"/);
  await asked.promise;
  return { live, run };
}

const LIVE: readonly Row[] = [
  {
    code: 'running.working',
    actor: 'process',
    make: async (scene) => (await held(scene)).run,
    fix: (scene) => scene.letGo(),
    becomes: 'completed.with-gaps',
  },
  {
    code: 'running.stopping',
    actor: 'process',
    make: async (scene) => {
      const { run } = await held(scene);
      await scene.kit('stop', run);
      return run;
    },
    fix: (scene) => scene.letGo(),
    becomes: 'stopped.person',
  },
  {
    code: 'stopped.person',
    actor: 'submitter',
    make: async (scene) => {
      const { live, run } = await held(scene);
      await scene.kit('stop', run, '--as', 'ada');
      scene.letGo();
      await live.ended;
      return run;
    },
    becomes: 'completed.with-gaps',
  },
  {
    code: 'stopped.process-died',
    actor: 'submitter',
    make: async (scene) => {
      const { live, run } = await held(scene);
      live.child.kill('SIGKILL');
      await live.ended;
      scene.letGo();
      return run;
    },
    becomes: 'completed.after-repeats',
  },
  {
    code: 'stopped.interrupted',
    actor: 'submitter',
    make: async (scene) => {
      const { live, run } = await held(scene);
      live.child.kill('SIGINT');
      await live.sees(/"event_type":"run.stopped"/);
      live.child.kill('SIGINT');
      await live.ended;
      scene.letGo();
      return run;
    },
    becomes: 'completed.after-repeats',
  },
  {
    code: 'stopped.replay',
    actor: 'submitter',
    make: async (scene) => {
      scene.write(gated());
      const file = join(scene.dir, 'a.cassette');
      await scene.kit('run', 'release', '--input', 'hi', '--as', 'dana', '--record', file);
      return String(lastOf(await scene.kit('run', 'release', '--as', 'dana', '--replay', file, '--json')).id);
    },
    fix: () => undefined,
    becomes: 'stopped.replay',
  },
];

/** Nothing is left to do: the line shows what there is. */
const ENDED: readonly Row[] = [
  { code: 'completed.done', actor: 'nobody', make: (scene) => scene.run(), becomes: 'completed.done' },
  {
    code: 'completed.with-gaps',
    actor: 'nobody',
    make: (scene) => {
      scene.server.script({ do: 'answer', calls: [{ name: 'nothing', arguments: {} }] });
      return scene.run();
    },
    becomes: 'completed.with-gaps',
  },
  {
    code: 'completed.with-denials',
    actor: 'nobody',
    make: (scene) => {
      const { workspace, files } = noteSkill("[echo, 'noted {text}']");
      scene.write(
        talk({
          workspace: `${workspace}governance: { provider: mock, config: { deny: ['command:*'] } }\n`,
          agent: '    skills: [note]\n',
          files,
        }),
      );
      scene.server.script({ do: 'answer', calls: [{ name: 'note', arguments: { text: 'x' } }] });
      return scene.run();
    },
    becomes: 'completed.with-denials',
  },
];

export const ENDINGS: readonly Row[] = [...LIVE, ...ENDED];
