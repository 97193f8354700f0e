// The text of test/support/README.md: what each file there gives to tests, in its own words.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const FOLDER = 'test/support';
const PROGRAM = /^(?:#!.*\n)?((?:\/\/.*\n)+)/;
const ANY = /^\/\*\*((?:(?!\*\/)[\s\S])*)\*\//m;
const EXPORT = /^(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export (?:async )?(?:function\*?|const|class) (\w+)/gm;
const TYPE = /^(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n)?export (?:interface|type) (\w+)/gm;
const MOST_NAMES = 6;

/** The index of the helpers of the tests below a root that ends with a slash. */
export function supportPage(root) {
  const files = readdirSync(join(root, FOLDER), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|mjs)$/.test(entry.name) && !entry.name.endsWith('.d.mts'))
    .map((entry) => relative(join(root, FOLDER), join(entry.parentPath, entry.name)))
    .sort();
  const rows = files.map((file) => ({ file, ...helpOf(readFileSync(join(root, FOLDER, file), 'utf8')) }));
  const folders = Map.groupBy(rows, ({ file }) => (file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '.'));
  return [
    '# Helpers of the tests',
    '',
    'Look here before you write one. `node scripts/support-page.mjs` makes this page of the first sentences of the files; a test compares.',
    ...[...folders]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([folder, some]) => [
        '',
        `## ${folder === '.' ? FOLDER : folder}`,
        '',
        '| file | gives | |',
        '|---|---|---|',
        ...some.map(({ file, names, what }) => `| [${file.split('/').at(-1)}](${file}) | ${names} | ${what} |`),
      ]),
    '',
  ].join('\n');
}

function helpOf(text) {
  const [values, types] = [EXPORT, TYPE].map((kind) => [...text.matchAll(kind)]);
  const named = values.length > 0 ? values : types;
  const names = named.slice(0, MOST_NAMES).map(([, , name]) => `\`${name}\``);
  if (named.length > MOST_NAMES) names.push('...');
  const said = [PROGRAM.exec(text), ...values, ...types, ANY.exec(text)]
    .map((found) => firstSentence(found?.[1] ?? ''))
    .filter((sentence) => sentence !== '');
  return { names: names.join(', '), what: said.find((sentence) => /^[A-Z`]/.test(sentence)) ?? said[0] ?? '' };
}

/** The first that is one: `argv: a plan.` says how a program is called, not what it is for. */
function firstSentence(comment) {
  const sentences = comment
    .replaceAll(/^[ \t]*(?:\*|\/\/) ?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.;]) /);
  return (sentences.find((one) => /^[A-Z`]/.test(one)) ?? sentences[0])
    .replace(/;$/, '.')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;');
}
