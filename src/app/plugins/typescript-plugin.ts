import { dirname, join } from 'node:path/posix';
import type { Files } from '../../domain/ports/system.js';
import type { TemplateFile } from '../templates.js';

/** Folder of a skeleton that holds its modules in TypeScript; what is beside it is JavaScript. */
const OVERLAY = 'typescript/';

const TSCONFIG = {
  compilerOptions: {
    target: 'es2024',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    types: ['node'],
    paths: {
      '@kit-run/kit/plugin': ['./types/sdk/plugin.d.ts'],
      '@kit-run/kit/command': ['./types/sdk/command.d.ts'],
      '@kit-run/kit/testing': ['./types/sdk/testing.d.ts'],
    },
  },
  include: ['src'],
};

const BUILD = `// Takes the types out of src: what is left is dist. Nothing has to be installed for it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

rmSync('dist', { recursive: true, force: true });
for (const name of readdirSync('src', { recursive: true }).filter((path) => path.endsWith('.ts'))) {
  const made = join('dist', name.replace(/\\.ts$/, '.js'));
  mkdirSync(dirname(made), { recursive: true });
  writeFileSync(made, stripTypeScriptTypes(readFileSync(join('src', name), 'utf8')));
}
`;

const MAKES = 'node --disable-warning=ExperimentalWarning build.mjs';
const SCRIPTS = {
  build: MAKES,
  types: 'tsc',
  test: 'npm run build && kit plugins check . --test',
  prepack: MAKES,
};

const WORDS = `
## TypeScript

    npm install && npm run types   # checks the types

\`types/\` holds what \`@kit-run/kit\` of the kit that wrote this exports to plugins: no kit has to be installed for it. Import a
file of your own by the name that it has in the end: \`import { x } from './x.js'\`.
`;

/** Only what the sources name is copied; a plugin without commands needs a quarter of it. */
const IMPORTED = /from '@kit-run\/kit\/(plugin|command|testing)'/g;
const RELATIVE = /(?:from |import\()\s*'(\.[^']+)\.js'/g;

/** Declarations of the exports and everything that they refer to, below `types/`. */
async function typesOf(
  names: readonly string[],
  dist: string,
  files: Pick<Files, 'readText'>,
): Promise<readonly TemplateFile[]> {
  const found = new Map<string, string>();
  let next = names.map((name) => `sdk/${name}.d.ts`);
  while (next.length > 0) {
    const texts = await Promise.all(next.map((path) => files.readText(join(dist, path))));
    for (const [at, path] of next.entries()) found.set(path, texts[at] ?? '');
    const named = next.flatMap((path) =>
      [...(found.get(path) ?? '').matchAll(RELATIVE)].map(([, to = '']) => join(dirname(path), `${to}.d.ts`)),
    );
    next = [...new Set(named)].filter((path) => !found.has(path));
  }
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([path, text]) => ({ path: `types/${path}`, text }));
}

/** `./src/x.js` of a manifest, and what it says of files and scripts. */
function packageText(text: string): string {
  const pjson = JSON.parse(text.replaceAll('./src/', './dist/').replaceAll('"/src"', '"/dist"'));
  const types = text.includes('"oclif"') ? { '@oclif/core': '*' } : {};
  const devDependencies = { ...types, '@types/node': '*', typescript: '>=5.8' };
  return `${JSON.stringify({ ...pjson, scripts: SCRIPTS, devDependencies }, null, 2)}\n`;
}

/** What the README of JavaScript advises for types; packages besides kit's own stay. */
const TYPES_ADVICE = /\s+For types in an editor,\s+`npm install --save-dev @kit-run\/kit([^`]*)`\./;

const WORK = '## Work on it\n\n';
const BUILD_FIRST =
  '    npm run build                  # src/*.ts -> dist/*.js, before what follows; needs nothing but Node.js\n';

/** `types/` is there: kit need not be installed for its types. What is checked is built first. */
const ofTypeScript = (readme: string): string =>
  readme
    .replace(WORK, `${WORK}${BUILD_FIRST}`)
    .replace(TYPES_ADVICE, (_, others: string) =>
      others === '' ? '' : `\nFor the types of its other packages, \`npm install --save-dev${others}\`.`,
    );

/** The other files, where they speak of the built modules. */
function beside({ path, text }: TemplateFile): TemplateFile {
  if (path === 'package.json') return { path, text: packageText(text) };
  if (path === 'README.md') return { path, text: `${ofTypeScript(text).trimEnd()}\n${WORDS}` };
  if (path === 'oclif.manifest.json') return { path, text: text.replaceAll('"src"', '"dist"') };
  return path.startsWith('test/') ? { path, text: text.replaceAll("'../src/", "'../dist/") } : { path, text };
}

/** A skeleton as it lies in the templates, in JavaScript. */
export const javaScriptFiles = (template: readonly TemplateFile[]): readonly TemplateFile[] =>
  template.filter(({ path }) => !path.startsWith(OVERLAY));

/**
 * The same skeleton in TypeScript: sources with types in `src`, built into `dist` by Node.js alone,
 * and the declarations of the running kit, so that no kit has to be installed for its types.
 */
export async function typeScriptFiles(
  template: readonly TemplateFile[],
  { files, packageRoot }: { readonly files: Pick<Files, 'readText'>; readonly packageRoot: string },
): Promise<readonly TemplateFile[]> {
  const sources = template
    .filter(({ path }) => path.startsWith(OVERLAY))
    .map(({ path, text }) => ({ path: `src/${path.slice(OVERLAY.length)}`, text }));
  const names = sources.flatMap(({ text }) => [...text.matchAll(IMPORTED)].map(([, name = '']) => name));
  return [
    ...javaScriptFiles(template)
      .filter(({ path }) => !path.startsWith('src/'))
      .map(beside),
    ...sources,
    { path: 'build.mjs', text: BUILD },
    { path: 'tsconfig.json', text: `${JSON.stringify(TSCONFIG, null, 2)}\n` },
    { path: '.gitignore', text: 'dist/\nnode_modules/\n' },
    ...(await typesOf([...new Set(names)], join(packageRoot, 'dist'), files)),
  ];
}
