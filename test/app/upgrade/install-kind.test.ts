import { describe, expect, it } from 'vitest';
import { installKind, type PlaceFacts } from '../../../src/app/upgrade/install-kind.js';

const NAME = '@kit-run/kit';
const at = (root: string, there: readonly string[] = [], more: Partial<PlaceFacts> = {}) =>
  installKind({
    root,
    name: NAME,
    started: '',
    cwd: '/p',
    has: (path) => there.includes(path),
    manifest: () => ({ dependencies: [NAME], devDependencies: [] }),
    isContainer: false,
    ...more,
  });

describe('how kit came here', () => {
  it.each([
    ['npm-global', '/usr/local/lib/node_modules/@kit-run/kit', [], 'npm install --global --prefix /usr/local {target}'],
    [
      'npm-global',
      '/home/a/.nvm/versions/node/v24/lib/node_modules/@kit-run/kit',
      [],
      'npm install --global --prefix /home/a/.nvm/versions/node/v24 {target}',
    ],
    ['npm-local', '/p/node_modules/@kit-run/kit', ['/p/package.json'], 'npm install --save {target}'],
    ['yarn-local', '/p/node_modules/@kit-run/kit', ['/p/package.json', '/p/yarn.lock'], 'yarn add {target}'],
    ['yarn-global', '/home/a/.config/yarn/global/node_modules/@kit-run/kit', [], 'yarn global add {target}'],
    [
      'pnpm-local',
      '/p/node_modules/.pnpm/@kit-run+kit@0.1.0/node_modules/@kit-run/kit',
      ['/p/package.json'],
      'pnpm add {target}',
    ],
    [
      'pnpm-global',
      '/elsewhere/global/5/.pnpm/@kit-run+kit@0.1.0/node_modules/@kit-run/kit',
      [],
      'pnpm add --global {target}',
    ],
    [
      'pnpm-global',
      '/home/a/.local/share/pnpm/global/5/node_modules/.pnpm/@kit-run+kit@0.1.0/node_modules/@kit-run/kit',
      [],
      'pnpm add --global {target}',
    ],
  ] as const)('%s: %s', (kind, root, there, command) => {
    const found = at(root, there);

    expect(found.kind).toBe(kind);
    expect('command' in found && found.command.join(' ')).toBe(command);
    // A store of pnpm has a path for each version: the program is reached through the link.
    expect('command' in found && found.program).toMatch(/node_modules\/@kit-run\/kit\/bin\/kit\.js$/);
    expect('command' in found && found.program.includes('.pnpm')).toBe(false);
  });

  const IN_STORE = '/home/a/.local/share/pnpm/store/v11/links/@kit-run/kit/0.1.0/0c08/node_modules/@kit-run/kit';

  it('is linked from the store of pnpm, whose folders are nobody else to write to', () => {
    const end = 'node_modules/@kit-run/kit/bin/kit.js';
    const started = (path: string) => at(IN_STORE, ['/p/package.json'], { started: path });
    const how = { kind: 'pnpm-store', how: expect.stringContaining('pnpm add --global @kit-run/kit@{target}') };

    expect(started(`/home/a/.local/share/pnpm/global/v11/0d4c/${end}`)).toEqual(how);
    expect(started(`${IN_STORE}/bin/kit.js`)).toEqual(how);
    expect(started(`/p/${end}`)).toMatchObject({
      kind: 'pnpm-local',
      command: ['pnpm', 'add', '{target}'],
      program: `/p/${end}`,
    });
  });

  it('belongs to one package of a workspace of pnpm, which shares its store', () => {
    const program = '/p/members/one/node_modules/@kit-run/kit/bin/kit.js';
    const root = '/p/node_modules/.pnpm/@kit-run+kit@0.1.0/node_modules/@kit-run/kit';

    const found = at(root, ['/p/package.json', '/p/members/one/package.json'], { started: program });

    const ofOne = { kind: 'pnpm-local', command: ['pnpm', 'add', '{target}'], cwd: '/p/members/one', program };
    expect(found).toEqual(ofOne);

    // Some start the program of the store itself: then it is the package in which the person is.
    const manifest = (folder: string) => ({
      dependencies: folder === '/p/members/one' ? [NAME] : [],
      devDependencies: [],
    });
    const there = ['/p/package.json', '/p/members/one/node_modules/@kit-run/kit'];
    expect(at(root, there, { cwd: '/p/members/one/src', manifest })).toEqual(ofOne);
    expect(at(root, there, { cwd: '/p/members/two', manifest })).toMatchObject({ kind: 'unknown' });
  });

  it.each(['/p/yarn.lock', '/p/package-lock.json'])(
    'that another package brought is not added to the project (%s)',
    (lock) => {
      const manifest = () => ({ dependencies: ['other'], devDependencies: [] });

      const found = at('/p/node_modules/@kit-run/kit', ['/p/package.json', lock], { manifest });

      expect(found).toEqual({
        kind: 'unknown',
        how: expect.stringContaining('the package.json in /p does not name it'),
      });
    },
  );

  it('stays a dev dependency', () => {
    const dev = { manifest: () => ({ dependencies: [], devDependencies: [NAME] }) };
    const commands = [
      at('/p/node_modules/@kit-run/kit', ['/p/package.json'], dev),
      at('/p/node_modules/@kit-run/kit', ['/p/package.json', '/p/yarn.lock'], dev),
      at('/p/node_modules/.pnpm/@kit-run+kit@0.1.0/node_modules/@kit-run/kit', ['/p/package.json'], dev),
    ].map((found) => ('command' in found ? found.command.join(' ') : ''));

    expect(commands).toEqual([
      'npm install --save-dev {target}',
      'yarn add --dev {target}',
      'pnpm add --save-dev {target}',
    ]);
  });

  it.each([
    ['checkout', '/src/kit', ['/src/kit/.git'], false, 'git pull'],
    ['checkout', '/src/kit', ['/src/kit/tsconfig.json'], true, 'npm ci'],
    [
      'npx',
      '/home/a/.npm/_npx/0123/node_modules/@kit-run/kit',
      ['/home/a/.npm/_npx/0123/package.json'],
      false,
      'npx @kit-run/kit@{target}',
    ],
    ['container', '/usr/local/lib/node_modules/@kit-run/kit', [], true, 'image'],
    ['unknown', '/opt/kit', [], false, 'nobody knows'],
  ] as const)("%s is not kit's to upgrade: %s", (kind, root, there, isContainer, how) => {
    const found = at(root, there, { isContainer });

    expect(found).toEqual({ kind, how: expect.stringContaining(how) });
  });
});
