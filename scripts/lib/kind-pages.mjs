// docs/kinds/: a page for each kind of file, with every key, made from schemas/kinds, and one for
// what plugins are configured with.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_PAGE, configPage, configRows } from './config-page.mjs';
import { cell, HEAD, READING, textsOf } from './key-tables.mjs';
import { rowsOf } from './schema-rows.mjs';

/** Where the files of a kind lie, and a whole one of them that is valid. */
const KINDS = [
  ['workspace', 'workspace.yaml', 'scripts/lib/kind-examples/workspace.yaml'],
  ['topology', 'topologies/', 'templates/release-gate/topologies/release-gate.yaml'],
  ['archetype', 'archetypes/', 'templates/harness/archetypes/coder.yaml'],
  ['skill', 'skills/', 'scripts/lib/kind-examples/skill.yaml'],
  ['funnel', 'funnels/', 'templates/harness/funnels/sign-off.yaml'],
  ['role-registry', 'roles/', 'templates/harness/roles/people.yaml'],
  ['trigger', 'triggers/', 'templates/nightly-tests/triggers/nightly.yaml'],
  ['eval-set', 'evals/', 'templates/data-extraction/evals/invoices.yaml'],
  ['model-provider', 'providers/', 'scripts/lib/kind-examples/model-provider.yaml'],
  ['executor-adapter', 'adapters/', 'plugins/harness/adapters/rehearsal.yaml'],
  ['contract', 'contracts/', 'scripts/lib/kind-examples/contract.yaml'],
];

async function loadSchemas(root) {
  const folder = join(root, 'schemas', 'kinds');
  const names = (await readdir(folder)).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, JSON.parse(await readFile(join(folder, name), 'utf8'))])),
  );
}

const readJson = async (root, path) => JSON.parse(await readFile(join(root, path), 'utf8').catch(() => '{}'));

/** Every kind with its rows; what the pages and their test are made of. */
export async function kindRows(root) {
  const schemas = await loadSchemas(root);
  return KINDS.map(([name, folder, example]) => {
    const file = `${name}.schema.json`;
    return { name, folder, example, schema: schemas.get(file), rows: rowsOf(schemas, file) };
  });
}

/** Versions since which the keys are there: those that are recorded, else this one. */
const sinceOf = (all, { recorded, version }) =>
  Object.fromEntries(
    all.map(({ name, rows }) => [
      name,
      Object.fromEntries(rows.map(({ path }) => [path, recorded[name]?.[path] ?? version])),
    ]),
  );

/** Keys that stand together below one key at the top get a table of their own. */
function tables(kind, texts) {
  const tops = kind.rows.map(({ path }) => path.split(/[.[]/, 1)[0]);
  const large = new Set(tops.filter((top) => tops.filter((other) => other === top).length > 3));
  const plain = texts.filter((_, index) => !large.has(tops[index]));
  const sections = [...large].map((top) => [
    `### \`${top}\``,
    '',
    ...HEAD,
    ...texts.filter((_, index) => tops[index] === top),
    '',
  ]);
  return [...HEAD, ...plain, '', ...sections.flat()].join('\n');
}

/** `path -> text` of every page, and the versions since which each key is there. */
export async function kindPages(root) {
  const words = await readJson(root, 'scripts/lib/key-words.json');
  const recorded = await readJson(root, 'scripts/lib/key-since.json');
  const { version } = await readJson(root, 'package.json');
  const [kinds, configs] = [await kindRows(root), await configRows()];
  const since = sinceOf([...kinds, ...configs], { recorded, version });
  const pages = await Promise.all(
    kinds.map(async (kind) => {
      const { name, folder, schema, rows } = kind;
      const texts = textsOf(rows, { words, since: since[name] });
      const example = (await readFile(join(root, kind.example), 'utf8')).trimEnd();
      const text = [
        `# ${schema.title}`,
        '',
        `${schema.description} ${folder.endsWith('/') ? `Files of it lie in \`${folder}\`.` : `It is the file \`${folder}\`.`}`,
        '',
        '```yaml',
        example,
        '```',
        '',
        '## Keys',
        '',
        ...READING,
        '',
        tables(kind, texts),
      ].join('\n');
      return [`docs/kinds/${name}.md`, text];
    }),
  );
  const index = [
    '# Every kind of file',
    '',
    'A workspace is a folder of these files. Each page has a whole file, and every key with its type, default and an example; the pages',
    'are made from the schemas, which editors use too ([how](../how-to/complete-in-your-editor.md)).',
    '',
    '| Kind | Where | What it is |',
    '|---|---|---|',
    ...kinds.map(
      ({ name, folder, schema }) => `| [${schema.title}](${name}.md) | \`${folder}\` | ${cell(schema.description)} |`,
    ),
    '',
    'What a part of kit takes below a key `config`: [what plugins are configured with](plugin-config.md).',
    '',
  ].join('\n');
  const ofPlugins = configPage(configs, { words: {}, since });
  return { pages: new Map([...pages, [CONFIG_PAGE, ofPlugins], ['docs/kinds/README.md', index]]), since };
}
