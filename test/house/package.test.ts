import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, normalize, posix } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { OPTIONAL_PACKAGES } from '../../src/domain/optional-packages.js';
import { projectRoot } from '../support/kit-process.js';
import { type PackedKit, packedKit, readDependencies } from '../support/packed-kit.js';

/**
 * What people download to have kit, third-party packages apart (test/package/installed.test.ts
 * weighs those). A change that needs more raises the bound here, and says why.
 */
const BOUNDS = { packedBytes: 4_000_000, files: 3_500 };

const read = (path: string): Promise<string> => readFile(join(projectRoot, path), 'utf8');
const pjson = await readDependencies();
const others = Object.keys({ ...pjson.dependencies, ...pjson.peerDependencies }).filter(
  (name) => !name.startsWith('@kit-run/'),
);

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
  /^node_modules\/(?!@kit-run\/plugin-)|^node_modules\/.*\.d\.ts$/.test(path) ||
  /node_modules\/.*node_modules\//.test(path);

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
  return /^dist\/(\.|program\/)/.test(path) ? path : path.replace(/^dist/, 'src').replace(/\.js$/, '.ts');
}

describe('the package', () => {
  it('stays within its bounds', () => {
    console.log(
      `packed ${packed.packedBytes} bytes, unpacked ${totalBytes(packed)} bytes, ${packed.files.length} files, ` +
        `${packed.bundled.length} bundled packages, ${others.length} packages of others listed`,
    );

    expect(excessOf(packed)).toEqual([]);
    expect(packed.files.length).toBeGreaterThan(1_000);
  });

  it('is found too heavy by one large file, and by many small ones', () => {
    const planted = (packedBytes: number, files: number): PackedKit => ({
      packedBytes,
      files: Array.from({ length: files }, (_, n) => ({ path: `dist/${n}.js`, size: 1 })),
      bundled: [],
    });

    expect(excessOf(planted(BOUNDS.packedBytes, BOUNDS.files))).toEqual([]);
    expect(excessOf(planted(BOUNDS.packedBytes + 1, 1))).toEqual([expect.stringContaining('bytes packed')]);
    expect(excessOf(planted(1, BOUNDS.files + 1))).toEqual([expect.stringContaining('files')]);
  });

  it('holds no test, source, source map or package of others', () => {
    expect([...paths].filter(isBallast)).toEqual([]);
    expect(
      [
        'dist/a.js.map',
        'node_modules/zod/index.js',
        'node_modules/@kit-run/plugin-run/src/a.ts',
        'dist/.tsbuildinfo',
      ].filter(isBallast),
    ).toHaveLength(4);
  });

  it('bundles the plugins, which bring no package of others along', async () => {
    const listed = await Promise.all(
      pjson.bundleDependencies.map(async (name) => JSON.parse(await read(`node_modules/${name}/package.json`))),
    );

    expect([...packed.bundled].sort()).toEqual([...pjson.bundleDependencies].sort());
    expect(listed.filter(({ dependencies, optionalDependencies }) => dependencies ?? optionalDependencies)).toEqual([]);
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
    const manifests = [...paths].filter((path) => /^(node_modules\/@kit-run\/[^/]+\/)?package\.json$/.test(path));
    const scripts = await Promise.all(
      manifests.map(async (path) => Object.keys(JSON.parse(await read(path)).scripts ?? {})),
    );

    expect(scripts.flat().filter((name) => /install$|^(pre|post)?(prepare|publish)$|^prepublish/.test(name))).toEqual(
      [],
    );
    expect(manifests).toHaveLength(pjson.bundleDependencies.length + 1);
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
    expect([...paths]).toEqual(expect.arrayContaining(['LICENSE', 'dist/NOTICE.txt']));
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
/** Packages that a file imports; kit's own doors come from the running kit. */
const packagesIn = (text: string): readonly string[] =>
  specifiersIn(text)
    .filter((specifier) => !/^\.|^node:|^@kit-run\/kit\//.test(specifier))
    .map(packageOf);

describe('what the package imports', () => {
  it('is listed as a dependency, and all that is listed is imported', async () => {
    const modules = [...paths].filter((path) => /^(dist|bin|node_modules)\/.*\.js$/.test(path));
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

  it('is packed, types included, as far as the public doors reach', async () => {
    const { exports } = JSON.parse(await read('package.json')) as {
      readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
    };
    const open = Object.values(exports)
      .flatMap((door) => (typeof door === 'string' ? [door] : [door.types, door.default]))
      .map(normalize);
    const reached = new Set<string>();
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (reached.has(path)) continue;
      reached.add(path);
      if (!paths.has(path) || path.endsWith('.json')) continue;
      const here = path;
      const suffix = here.endsWith('.d.ts') ? '.d.ts' : '.js';
      const relative = specifiersIn(await read(here)).filter((specifier) => /^\..*\.js$/.test(specifier));
      open.push(...relative.map((one) => posix.join(posix.dirname(here), one).replace(/\.js$/, suffix)));
    }

    expect([...reached].filter((path) => !paths.has(path))).toEqual([]);
    expect(reached.size).toBeGreaterThan(200);
  });
});

describe('the packages of others', () => {
  it('are named on a page that says what each is for', async () => {
    const page = await read('docs/package.md');

    expect(others.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('that one feature needs are optional, and are tested in the version that is said to install', () => {
    const { dependencies, peerDependencies, peerDependenciesMeta, devDependencies } = pjson;
    const tested = { ...devDependencies, ...dependencies };

    expect(Object.keys(OPTIONAL_PACKAGES)).toEqual(expect.arrayContaining(Object.keys(peerDependencies)));
    expect(Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)).toEqual([]);
    expect(Object.entries(OPTIONAL_PACKAGES).map(([name, { version }]) => [name, version])).toEqual(
      Object.keys(OPTIONAL_PACKAGES).map((name) => [name, tested[name]]),
    );
    expect(Object.entries(peerDependencies)).toEqual(
      Object.keys(peerDependencies).map((name) => [name, `^${tested[name]}`]),
    );
  });
});
