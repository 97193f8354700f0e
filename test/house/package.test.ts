import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, normalize, posix } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageFolderOf } from '../../scripts/lib/notice.mjs';
import { OPTIONAL_PACKAGES } from '../../src/domain/optional-packages.js';
import { projectRoot } from '../support/kit-process.js';
import { type PackedKit, packedKit, readDependencies } from '../support/packed-kit.js';

/**
 * What people download to have kit, third-party packages apart (test/package/installed.test.ts
 * weighs those). A change that needs more raises the bound here, and says why.
 */
const BOUNDS = { packedBytes: 3_650_000, files: 1_850 };

const read = (path: string): Promise<string> => readFile(join(projectRoot, path), 'utf8');
const pjson = await readDependencies();
/** What is installed beside kit, by npm or by whoever needs it. */
const others = Object.keys({ ...pjson.dependencies, ...pjson.peerDependencies });

let packed: PackedKit;
let paths: ReadonlySet<string>;
beforeAll(async () => {
  packed = await packedKit();
  paths = new Set(packed.files.map(({ path }) => path));
});

const totalBytes = ({ files }: PackedKit): number => files.reduce((sum, { size }) => sum + size, 0);

/** What is over its bound, as a sentence each. */
const excessOf = ({ packedBytes, files }: PackedKit): readonly string[] => [
  ...(packedBytes > BOUNDS.packedBytes ? [`${packedBytes} bytes packed, at most ${BOUNDS.packedBytes}`] : []),
  ...(files.length > BOUNDS.files ? [`${files.length} files, at most ${BOUNDS.files}`] : []),
];

/** Files that only make a package larger, and those of packages that npm installs itself. */
const isBallast = (path: string): boolean =>
  /\.map$|\.tsbuildinfo$|\.stamps\//.test(path) ||
  (/\.test\.[jt]sx?$|(^|\/)(test|tests|src)\//.test(path) && !path.startsWith('templates/')) ||
  /(^|\/)node_modules\/|^plugins\/.*\.d\.ts$/.test(path);

/** `a{b,c}` as `ab` and `ac`. */
function alternatives(pattern: string): readonly string[] {
  const [, before = '', among = '', after = ''] = /^(.*)\{([^{}]*)\}(.*)$/.exec(pattern) ?? [];
  return among === '' ? [pattern] : among.split(',').flatMap((one) => alternatives(`${before}${one}${after}`));
}

/**
 * The source of what a pattern leaves out; of what the build itself writes, the output. A folder of
 * dist may be left over from before.
 */
function placeOf(pattern: string): string {
  const path = pattern.replace(/^!\//, '').replace(/\/\*.*$/, '');
  return /^dist\/(\.|program\/)/.test(path) ? path : path.replace(/^dist/, 'src').replace(/\.(js|d\.ts)$/, '.ts');
}

/**
 * What a plugin is made of: its manifests, what they name, and its modules where they are folded.
 */
async function partsOf(folder: string): Promise<readonly string[]> {
  const [pjson, manifest] = await Promise.all(
    ['package.json', 'oclif.manifest.json'].map(async (name) => JSON.parse(await read(`${folder}/${name}`))),
  );
  const offered: readonly Offered[] = Object.values(pjson.kit?.contributes ?? {}).flat() as readonly Offered[];
  const commands: readonly { readonly relativePath: readonly string[] }[] = Object.values(manifest.commands);
  const modules = [
    ...offered.map(({ module }) => module.replace('./dist/', '')),
    ...commands.map(({ relativePath }) => relativePath.slice(1).join('/')),
  ];
  const files = offered.flatMap(({ configSchema, adapters = [] }) => [
    ...(configSchema ? [configSchema] : []),
    ...adapters,
  ]);
  return [
    `${folder}/package.json`,
    `${folder}/oclif.manifest.json`,
    ...files.map((path) => posix.join(folder, path)),
    ...modules.map((path) => `dist/program/${posix.basename(folder)}/${path.replaceAll('/', '.')}`),
  ];
}

/** Of a contribution what is a file of the plugin. */
interface Offered {
  readonly module: string;
  readonly configSchema?: string;
  readonly adapters?: readonly string[];
}

describe('the package', () => {
  it('stays within its bounds', () => {
    console.log(
      `packed ${packed.packedBytes} bytes, unpacked ${totalBytes(packed)} bytes, ${packed.files.length} files, ` +
        `${others.length} packages of others listed`,
    );

    expect(excessOf(packed)).toEqual([]);
    expect(packed.files.length).toBeGreaterThan(1_000);
  });

  it('is found too heavy by one large file, and by many small ones', () => {
    const planted = (packedBytes: number, files: number): PackedKit => ({
      packedBytes,
      files: Array.from({ length: files }, (_, n) => ({ path: `dist/${n}.js`, size: 1 })),
    });

    expect(excessOf(planted(BOUNDS.packedBytes, BOUNDS.files))).toEqual([]);
    expect(excessOf(planted(BOUNDS.packedBytes + 1, 1))).toEqual([expect.stringContaining('bytes packed')]);
    expect(excessOf(planted(1, BOUNDS.files + 1))).toEqual([expect.stringContaining('files')]);
  });

  it('holds no test, source, source map or package of others', () => {
    expect([...paths].filter(isBallast)).toEqual([]);
    expect(
      ['dist/a.js.map', 'node_modules/zod/index.js', 'plugins/run/src/a.ts', 'dist/.tsbuildinfo'].filter(isBallast),
    ).toHaveLength(4);
  });

  it('holds every plugin, which brings no package of others along', async () => {
    const folders = (await readdir(join(projectRoot, 'plugins'))).map((name) => `plugins/${name}`);
    const listed = await Promise.all(folders.map(async (path) => JSON.parse(await read(`${path}/package.json`))));
    const missing = (await Promise.all(folders.map(partsOf))).flat().filter((path) => !paths.has(path));

    expect(listed.filter(({ dependencies, optionalDependencies }) => dependencies ?? optionalDependencies)).toEqual([]);
    expect(missing).toEqual([]);
    expect(await partsOf('plugins/harness')).toEqual(
      expect.arrayContaining([
        'dist/program/harness/executor.js',
        'dist/program/harness/commands.adapters.list.js',
        'plugins/harness/schemas/harness.json',
        'plugins/harness/adapters/claude-code.yaml',
      ]),
    );
  });

  it('leaves out only what there is', async () => {
    const { files } = JSON.parse(await read('package.json')) as { readonly files: readonly string[] };
    const left = files.filter((one) => one.startsWith('!')).flatMap(alternatives);
    const isThere = (pattern: string): boolean => existsSync(join(projectRoot, placeOf(pattern)));

    expect(left.filter((one) => !isThere(one))).toEqual([]);
    expect(left.length).toBeGreaterThan(20);
    expect(alternatives('!/dist/{engine,ui}/**/*.js').map(placeOf)).toEqual(['src/engine', 'src/ui']);
    expect(isThere('!/dist/engine/no-such-folder')).toBe(false);
  });

  it('runs no script where it is installed', async () => {
    const manifests = [...paths].filter((path) => /^(plugins\/[^/]+\/)?package\.json$/.test(path));
    const scripts = await Promise.all(
      manifests.map(async (path) => Object.keys(JSON.parse(await read(path)).scripts ?? {})),
    );

    expect(scripts.flat().filter((name) => /install$|^(pre|post)?(prepare|publish)$|^prepublish/.test(name))).toEqual(
      [],
    );
    expect(manifests).toHaveLength((await readdir(join(projectRoot, 'plugins'))).length + 1);
    expect(JSON.parse(await read('scripts/on-install/package.json')).scripts.prepare).toBe('node ../build.mjs');
  });

  it('holds its licence, and what its README links to', async () => {
    const links = [...(await read('README.md')).matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, link]) =>
      normalize(String(link)).replace(/\/$/, ''),
    );
    const isPacked = (link: string): boolean =>
      paths.has(link) || [...paths].some((path) => path.startsWith(`${link}/`));

    expect(links.filter((link) => !isPacked(link))).toEqual([]);
    expect(links.length).toBeGreaterThan(5);
    expect(isPacked('docs/no-such-page.md')).toBe(false);
    expect(await read('LICENSE')).toContain('Apache License');
    expect([...paths]).toEqual(expect.arrayContaining(['LICENSE', 'NOTICE']));
  });
});

/** Specifiers of a module, blanks or none: of imports, of exports from elsewhere, of `import()`. */
const specifiersIn = (text: string): readonly string[] =>
  [
    ...text.matchAll(/(?:^\s*|;)(?:import|export)\b[^'"`;]*?\bfrom\s*['"`]([^'"`]+)['"`]/gm),
    ...text.matchAll(/(?:^\s*|;)import\s*['"`]([^'"`]+)['"`]/gm),
    ...text.matchAll(/\bimport\(\s*['"`]([^'"`]+)['"`]\s*\)/g),
  ].map((match) => String(match[1]));
const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
/** Packages that a file imports; kit's own exports come from the running kit. */
const packagesIn = (text: string): readonly string[] =>
  specifiersIn(text)
    .filter((specifier) => !/^\.|^node:|^@kit-run\/kit\//.test(specifier))
    .map(packageOf);

describe('what the package imports', () => {
  it('is listed as a dependency, and all that is listed is imported', async () => {
    const modules = [...paths].filter((path) => /^(dist|bin|plugins)\/.*\.js$/.test(path));
    const imported = await Promise.all(modules.map(async (path) => packagesIn(await read(path))));

    const used = new Set(imported.flat());

    expect([...used].filter((name) => !others.includes(name))).toEqual([]);
    // oclif finds it by its name in package.json.
    expect(others.filter((name) => !used.has(name))).toEqual(['@oclif/plugin-help']);
    expect(packagesIn("import a from 'one';\nexport { b } from '@two/three/four';\nawait import('five')")).toEqual([
      'one',
      '@two/three',
      'five',
    ]);
  });

  it('is packed, where it is a file of the program', async () => {
    const programs = [...paths].filter((path) => /^dist\/program\/.*\.js$/.test(path));
    const wanted = await Promise.all(
      programs.map(async (path) =>
        specifiersIn(await read(path))
          .filter((specifier) => /^\.{1,2}\/.*\.js$/.test(specifier))
          .map((specifier) => posix.join(posix.dirname(path), specifier)),
      ),
    );

    expect([...new Set(wanted.flat())].filter((path) => !paths.has(path))).toEqual([]);
    expect(new Set(wanted.flat()).size).toBeGreaterThan(200);
  });

  it('is packed, where a folded module starts or reads it by its place', async () => {
    const programs = [...paths].filter((path) => /^dist\/program\/.*\.js$/.test(path));
    const texts = await Promise.all(programs.map(read));
    const places = texts.flatMap((text) =>
      [...text.matchAll(/new URL\(\s*['"`]([^'"`$]+)['"`]\s*,\s*new URL\(['"`]([^'"`]+)['"`]/g)].map(([, to, from]) =>
        posix.normalize(posix.join('dist/program/parts', posix.dirname(String(from)), String(to))),
      ),
    );
    // Folded by itself, or as the compiler wrote it.
    const built = (path: string) => ['.cjs', '.js'].map((ending) => path.replace(/\.ts$/, ending));
    const files = places.flatMap((path) => built(path).find((one) => paths.has(one)) ?? path);
    const small = ['dist/system/pdf-thread.js', 'dist/system/processes/supervisor.cjs'];

    expect(files.filter((path) => /\.[jt]s$/.test(path) && !paths.has(path))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(small));
    // Started by an adapter, with a file that Node is told of.
    const runner = 'plugins/harness/dist/test-runner';
    const hook = 'plugins/harness/dist/hook/hook-process.cjs';
    expect([...paths]).toEqual(expect.arrayContaining([`${runner}/main.js`, `${runner}/node-reporter.js`, hook]));
    expect(specifiersIn(await read(`${runner}/main.js`)).filter((specifier) => !specifier.startsWith('node:'))).toEqual(
      [],
    );
  });

  it('is packed, types included, as far as the public exports reach and no further', async () => {
    type Way = string | { readonly types: string; readonly default: string };
    const { exports } = JSON.parse(await read('package.json')) as { readonly exports: Readonly<Record<string, Way>> };
    const texts = (await readdir(join(projectRoot, 'src/text'))).filter((name) => name.endsWith('.ts'));
    const open = Object.values(exports)
      .flatMap((one) => (typeof one === 'string' ? [one] : [one.types, one.default]))
      .flatMap((path) => (path.includes('*') ? texts.map((name) => path.replace('*', name.slice(0, -3))) : [path]));
    const reached = new Set<string>();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const path = normalize(next);
      if (reached.has(path)) continue;
      reached.add(path);
      if (!paths.has(path) || path.endsWith('.json')) continue;
      const suffix = path.endsWith('.d.ts') ? '.d.ts' : '.js';
      const relative = specifiersIn(await read(path)).filter((specifier) => /^\..*\.js$/.test(specifier));
      open.push(...relative.map((one) => posix.join(posix.dirname(path), one).replace(/\.js$/, suffix)));
    }

    expect([...reached].filter((path) => !paths.has(path))).toEqual([]);
    expect([...paths].filter((path) => path.endsWith('.d.ts') && !reached.has(path))).toEqual([]);
    expect(reached.size).toBeGreaterThan(200);
  });
});

/** Licences whose code may lie in a package of another licence. */
const PERMISSIVE =
  /\((MIT|MIT-0|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|Unlicense|\(MPL-2\.0 OR Apache-2\.0\))\)$/;

describe('the packages of others', () => {
  it('that are folded in are named in NOTICE, each with its licence, and no other is', async () => {
    const folded: Readonly<Record<string, readonly string[]>> = JSON.parse(await read('dist/program/modules.json'));
    const pages: readonly string[] = JSON.parse(await read('plugins/console/dist/web-modules.json'));
    const modules = [
      ...Object.values(folded)
        .flat()
        .map((path) => posix.join('dist/program', path)),
      ...pages,
    ];
    const folders = modules.flatMap((path) => packageFolderOf(join(projectRoot, path)) ?? []);
    const titles = await Promise.all(
      [...new Set(folders)].map(async (folder) => {
        const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
        return `${name} ${version} (${license})`;
      }),
    );
    const sections = (await read('NOTICE')).split(/^-{80}$/m).slice(1);
    const named = sections.map((section) => String(section.trim().split('\n')[0]));

    // The installer of plugins is a file of its own.
    expect(named.filter((title) => !titles.includes(title))).toContain('@oclif/plugin-plugins 7.0.0 (MIT)');
    expect(titles.filter((title) => !named.includes(title))).toEqual([]);
    expect(titles.length).toBeGreaterThan(50);
    expect(
      sections.filter((section) => !/licen[cs]e|permission/i.test(section.trim().split('\n').slice(1).join(' '))),
    ).toEqual([]);
    expect(named.filter((title) => !PERMISSIVE.test(title))).toEqual([]);
  });

  it('are named on a page that says what each is for', async () => {
    const page = await read('docs/package.md');

    expect(others.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('that a deployment needs are installed in its image, in the version that is tested', async () => {
    const dockerfile = await read('templates/deploy/Dockerfile');

    expect(dockerfile).toContain(`ARG OPTIONAL_PACKAGES="pg@${OPTIONAL_PACKAGES.pg.version}"`);
  });

  it('that one feature needs are said with their version wherever a page installs them', async () => {
    const pages = await Promise.all(
      (await readdir(join(projectRoot, 'docs')))
        .filter((name) => name.endsWith('.md'))
        .map((name) => read(`docs/${name}`)),
    );
    const installed = pages.flatMap((page) => [...page.matchAll(/npm install --global (\S+)@(\d[\d.]*\d)/g)]);
    const said = installed.map(([, name, version]) => [name, version]);
    const tested = Object.entries(OPTIONAL_PACKAGES).map(([name, { version }]) => [name, version]);

    expect(said.filter(([name, version]) => !tested.some(([one, of]) => one === name && of === version))).toEqual([]);
    expect(said.map(([name]) => name)).toEqual(expect.arrayContaining(['pg', 'unpdf']));
  });

  it('that one feature needs are optional, and are tested in the version that is said to install', () => {
    const { dependencies, peerDependencies, peerDependenciesMeta, devDependencies } = pjson;
    const tested = { ...devDependencies, ...dependencies };

    expect(Object.keys(OPTIONAL_PACKAGES).sort()).toEqual(Object.keys(peerDependencies).sort());
    expect(Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)).toEqual([]);
    expect(Object.entries(OPTIONAL_PACKAGES).map(([name, { version }]) => [name, version])).toEqual(
      Object.keys(OPTIONAL_PACKAGES).map((name) => [name, tested[name]]),
    );
    expect(Object.entries(peerDependencies)).toEqual(
      Object.keys(peerDependencies).map((name) => [name, `^${tested[name]}`]),
    );
  });
});
