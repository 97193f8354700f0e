// docs/kinds/: a page for each kind of file, with every key, made from schemas/kinds.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
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

/** A value for each pattern that has no plainer one. */
const BY_PATTERN = {
  '^[a-z][a-z0-9-]*$': 'my-id',
  '^\\d+\\.\\d+\\.\\d+$': '1.0.0',
  '^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$': 'release:approve',
  '^[a-z][a-z0-9_-]*:[a-z*][a-z0-9_*-]*$': 'files:read',
  '^[A-Z][A-Z0-9_]*$': 'MY_KEY',
  '^~/': '~/.tool/settings.json',
  '^[a-z][a-z0-9-]*(?:@\\d+\\.\\d+\\.\\d+)?$': 'review',
  '^(?:(?:pack|server):)?[a-z][a-z0-9-]*$': 'read-file',
  '^[a-z][a-z0-9_-]*$': 'my-id',
  '^(>=|<=|==|>|<)\\s*\\d+(?:\\.\\d+){0,3}$': '>=1.2',
  '^https?://[^\\s/]+[^\\s]*$': 'https://kit.example.com',
  '^([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])(:[0-9]{1,5})?$': 'kit.example.com',
  '^[A-Za-z0-9._:-]{1,253}(/[0-9]{1,3})?$': '10.0.0.0/8',
  '^(env|file|credentials):.+$': 'env:MY_KEY',
  '^[1-9][0-9]*[smhd]$': '24h',
  '^>=\\d+\\.\\d+\\.\\d+$': '>=1.0.0',
};
const BY_FORMAT = { date: '2026-01-31', uri: 'https://agent.example.com', regex: '^small-' };

const first = (declared, key) => declared.map((schema) => schema[key]).find((value) => value !== undefined);

/** A short valid value for a key; null = its own keys say it. */
export function sampleOf({ declared, items, values }) {
  const own = scalarOf(declared);
  if (own !== null) return own;
  if (declared.some((schema) => schema.properties !== undefined)) return null;
  const [item, value] = [scalarOf(items), scalarOf(values)];
  const least = first(declared, 'minItems') ?? 1;
  if (item !== null)
    return Array.from({ length: Math.max(1, least) }, (_, index) => (index === 0 ? item : `${item}-${index + 1}`));
  return value === null ? null : { name: value };
}

const shownSample = (sample) => {
  if (Array.isArray(sample)) return `[${sample.join(', ')}]`;
  return typeof sample === 'object' ? `{ name: ${sample.name} }` : String(sample);
};

/** What a key means where it is not written, as a cell; empty where that is no single value. */
function defaultOf({ declared }) {
  const value = first(declared, 'x-default');
  return value === undefined ? '' : code(shownSample(value));
}

function scalarOf(declared) {
  const fixed = first(declared, 'const');
  const choices = first(declared, 'enum');
  if (fixed !== undefined) return fixed;
  if (choices !== undefined) return choices[0];
  const type = [first(declared, 'type')].flat()[0];
  switch (type) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, first(declared, 'minimum') ?? 1), first(declared, 'maximum') ?? Number.MAX_VALUE);
    case 'string': {
      const pattern = first(declared, 'pattern');
      if (pattern !== undefined && BY_PATTERN[pattern] !== undefined) return BY_PATTERN[pattern];
      const format = first(declared, 'format');
      return BY_FORMAT[format] ?? ((first(declared, 'minLength') ?? 0) > 4 ? 'What it is for' : 'text');
    }
    default:
      return null;
  }
}

const count = (declared, least, most) => {
  const [min, max] = [first(declared, least), first(declared, most)];
  if (min === undefined && max === undefined) return '';
  return max === undefined ? `, at least ${min}` : min === undefined ? `, at most ${max}` : `, ${min} to ${max}`;
};

const NOUNS = { string: 'text', boolean: 'true or false', integer: 'whole number', number: 'number', null: 'nothing' };

/** What a value of one declaration is, in words. */
function typeText(schema) {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const).replaceAll('"', '')}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ');
  const unit = schema['x-unit'] === undefined ? '' : ` of ${schema['x-unit']}`;
  const one = [schema.type].flat().map((type) => {
    if (type === 'array') return `list${count([schema], 'minItems', 'maxItems')}`;
    if (type === 'object') return schema.properties === undefined ? 'mapping' : 'block';
    if (type === 'string' && schema.format !== undefined) return schema.format;
    if (type === 'integer' || type === 'number') return `${NOUNS[type]}${unit}${count([schema], 'minimum', 'maximum')}`;
    return NOUNS[type] ?? '';
  });
  return one.filter(Boolean).join(' or ');
}

const cell = (text) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').trim();
const code = (text) => `\`${text}\``;

/**
 * What a key is for: its own words, else those of what it refers to, else the common ones. Those of
 * the longest end of its path count, as `/memory` (nothing above it), `storage.memory`, `memory`.
 */
export function meaningOf(row, words) {
  const parts = row.path.replace(/\[\]$/, '').split('.');
  const ends = [`/${parts.join('.')}`, ...parts.map((_part, at) => parts.slice(at).join('.'))];
  return first(row.declared, 'description') ?? words[ends.find((end) => Object.hasOwn(words, end)) ?? ''] ?? '';
}

function rowText(row, { words, since, hasKeys }) {
  const declared = [...new Set(row.declared.map((schema) => typeText(schema)).filter(Boolean))];
  // One of several values says what the value alone would say again.
  const types = declared.filter((one) => !declared.some((other) => other !== one && other.includes(one))).join(' or ');
  const meaning = meaningOf(row, words) || (hasKeys ? 'Its keys follow.' : '');
  const above = row.isListedAbove ? ' The same keys as further up.' : '';
  const sample = sampleOf(row);
  const needed = row.isRequired ? 'required' : defaultOf(row);
  const example = sample === null ? '' : code(shownSample(sample));
  return `| ${code(row.path.replaceAll('|', ''))} | ${types} | ${cell(needed)} | ${example} | ${since} | ${cell(meaning + above)} |`;
}

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

const HEAD = ['| Key | Type | Default | Example | Since | What it is for |', '|---|---|---|---|---|---|'];

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
  const kinds = await kindRows(root);
  const since = Object.fromEntries(
    kinds.map(({ name, rows }) => [
      name,
      Object.fromEntries(rows.map(({ path }) => [path, recorded[name]?.[path] ?? version])),
    ]),
  );
  const pages = await Promise.all(
    kinds.map(async (kind) => {
      const { name, folder, schema, rows } = kind;
      const texts = rows.map((row) =>
        rowText(row, {
          words,
          since: since[name][row.path],
          hasKeys: rows.some(({ path }) => path.startsWith(`${row.path}.`) || path.startsWith(`${row.path}[`)),
        }),
      );
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
        '`a.b` is the key `b` below `a`; `a[].b` the key `b` of each item of the list `a`; `a.<name>` stands for any name. An example is',
        'one short value that is valid. Where a default is not told, the row says what happens without the key.',
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
  ].join('\n');
  return { pages: new Map([...pages, ['docs/kinds/README.md', index]]), since };
}
