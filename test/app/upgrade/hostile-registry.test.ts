import { describe, expect, it } from 'vitest';
import { createUpgradeApp } from '../../../src/app/upgrade/create-upgrade-app.js';

const NAME = '@kit-run/kit';

describe('a registry that means no good', () => {
  const pjson = (version: string, runtime: object = {}, name = NAME) =>
    JSON.stringify({ name, version, kitRuntime: { level: '1.256.0', ...runtime } });
  /** What it answers, where 0.1.0 is installed. */
  const answered = (answer: string) => {
    const ran: (readonly string[])[] = [];
    const app = createUpgradeApp({
      place: {
        root: '/usr/lib/node_modules/@kit-run/kit',
        started: '',
        cwd: '/',
        has: () => false,
        manifest: () => ({ dependencies: [], devDependencies: [] }),
        isContainer: false,
      },
      installed: async () => pjson('0.1.0'),
      run: async (argv) => {
        ran.push(argv);
        return { code: 0, stdout: answer, stderr: '' };
      },
      node: process.execPath,
      cwd: '/',
      plugins: async () => [],
      kept: async () => [],
    });
    return { app, ran };
  };

  it.each([
    ['0.2.0; touch /tmp/hit', null],
    ['0.2.0 --registry=http://evil.example', null],
    ['$(touch hit)', null],
    ['0.2.0_x', null],
    ['0.2.0-\u001b[2J', null],
    [`0.2.0-${'a'.repeat(10_000)}`, null],
    ['v0.2.0', null],
    // Not what was asked for.
    ['0.0.1', '0.2.0'],
  ])('has the version %j, which is none', async (version, to) => {
    const { app, ran } = answered(pjson(version));

    await expect(app.plan({ to, registry: null })).rejects.toMatchObject({ code: 'KIT_UPGRADE_UNKNOWN' });
    expect(ran.map(([program, word]) => `${program} ${word}`)).toEqual(['npm view']);
  });

  it('has another package of that name', async () => {
    const { app } = answered(pjson('0.2.0', {}, 'evil'));

    await expect(app.plan({ to: null, registry: null })).rejects.toMatchObject({ code: 'KIT_UPGRADE_UNKNOWN' });
  });

  it('says of levels, plugins and journals what nobody can read, which is nothing said', async () => {
    const engines = Array.from({ length: 5000 }, (_, at) => at);
    const { app } = answered(
      pjson('0.2.0', { level: '\u001b]0;x\u0007', pluginApi: '1.0.0\n', engines, breaking: [7] }),
    );

    const { target, changes } = await app.plan({ to: null, registry: null });
    expect(target).toMatchObject({ version: '0.2.0', level: null, pluginApi: null });
    expect(target.engines).toHaveLength(1000);
    expect(changes).toEqual([]);
  });
});
