// The table of the keys of a schema: a row for each key, with its type, default and an example.

export const HEAD = ['| Key | Type | Default | Example | Since | What it is for |', '|---|---|---|---|---|---|'];

/** How such a table is read. */
export const READING = [
  '`a.b` is the key `b` below `a`; `a[].b` the key `b` of each item of the list `a`; `a.<name>` stands for any name. An example is',
  'one short value that is valid. Where a default is not told, the row says what happens without the key.',
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
  '^https?://': 'https://service.example.com',
  '^https?://[^/?#@\\s]+(/[^?#@\\s]*)?$': 'https://service.example.com',
  '^https?://[^/?#@\\s]+(/[^?#\\s]*)?$': 'https://service.example.com',
  '^https?://[^/?#@\\s]+([/?][^#\\s]*)?$': 'https://service.example.com/hook',
  '^[0-9a-f]{64}$': '0123456789abcdef'.repeat(4),
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

/** What a key means where it is not written, as a cell; empty where that is not a single value. */
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
    if (type === 'string' && schema.minLength > 1) return `text, at least ${schema.minLength} characters`;
    if (type === 'integer' || type === 'number') return `${NOUNS[type]}${unit}${count([schema], 'minimum', 'maximum')}`;
    return NOUNS[type] ?? '';
  });
  return one.filter(Boolean).join(' or ');
}

export const cell = (text) => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').trim();
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

/** Rows of the tables of one schema. */
export const textsOf = (rows, { words, since }) =>
  rows.map((row) =>
    rowText(row, {
      words,
      since: since[row.path],
      hasKeys: rows.some(({ path }) => path.startsWith(`${row.path}.`) || path.startsWith(`${row.path}[`)),
    }),
  );
