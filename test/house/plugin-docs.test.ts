import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { POINT_IDS } from '../../src/domain/extension-points.js';
import { CONFORMANCE } from '../../src/testing/contract/suites.js';
import { projectRoot } from '../support/kit-process.js';
import { SHAPES } from '../support/model-shapes.js';

const folder = join(projectRoot, 'docs/plugins');
const pages = new Map(
  await Promise.all(
    (await readdir(folder)).map(
      async (name): Promise<readonly [string, string]> => [
        name.replace('.md', ''),
        await readFile(join(folder, name), 'utf8'),
      ],
    ),
  ),
);
const live = Object.keys(CONFORMANCE) as readonly (keyof typeof CONFORMANCE)[];
const reserved = POINT_IDS.filter((point) => !live.some((used) => used === point));
const readTemplate = (path: string): Promise<string> => readFile(join(projectRoot, 'templates/plugins', path), 'utf8');

/** The module of a point's skeleton, as its manifest names it. */
async function skeletonOf(point: string): Promise<{ readonly manifest: unknown; readonly module: string }> {
  const { contributes } = JSON.parse(await readTemplate(`${point}/package.json`)).kit;
  return { manifest: { contributes }, module: await readTemplate(`${point}/${contributes[point][0].module}`) };
}

const blocksOf = (page: string, language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1] ?? '');

describe('docs/plugins', () => {
  it('has a page for every extension point and for commands, and none for anything else', () => {
    expect([...pages.keys()].sort()).toEqual([...POINT_IDS, 'commands', 'README'].sort());
  });

  it('links every page from its index', () => {
    const linked = [...(pages.get('README') ?? '').matchAll(/\]\(([A-Za-z]+)\.md\)/g)].map((match) => match[1] ?? '');

    expect([...new Set(linked)].sort()).toEqual([...POINT_IDS, 'commands'].sort());
  });

  it.each(live)('shows of %s the manifest and the module of its skeleton, which is tested', async (point) => {
    const page = pages.get(point) ?? '';
    const { manifest, module } = await skeletonOf(point);

    expect(blocksOf(page, 'json').map((text) => JSON.parse(text))).toEqual([manifest]);
    expect(blocksOf(page, 'js').at(-1)).toBe(module);
  });

  it.each(live)('names every case of the suite of %s, and no other', (point) => {
    const section = /The cases:\n\n((?:- .*\n)+)/.exec(pages.get(point) ?? '')?.[1] ?? '';
    const contribution = { $$type: `kit.${point}`, version: 1, create: () => undefined } as never;

    expect(section.trim().split('\n')).toEqual(CONFORMANCE[point](contribution).map(({ name }) => `- ${name}`));
  });

  it('shows requests and answers of a model as their types want them', async () => {
    const typed = await readFile(join(projectRoot, 'test/support/model-shapes.ts'), 'utf8');

    expect(typed).toContain(blocksOf(pages.get('modelProviders') ?? '', 'ts').at(-1));
    expect(SHAPES.answered.response.model).toBe(SHAPES.request.model);
  });

  it('shows the command of its skeleton', async () => {
    expect(blocksOf(pages.get('commands') ?? '', 'js')).toEqual([
      await readTemplate('commands/src/commands/sample-name.js'),
    ]);
  });

  it.each(reserved)('says of %s that nothing uses it, and promises no interface', (point) => {
    expect(pages.get(point)).toContain('Not in use yet.');
    expect(blocksOf(pages.get(point) ?? '', '[a-z]+')).toEqual([]);
  });

  it('is part of what is published, because a command prints it', async () => {
    const { files } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'));

    expect(files).toEqual(expect.arrayContaining(['/docs', '/templates']));
  });
});
