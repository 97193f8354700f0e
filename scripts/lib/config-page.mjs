// docs/kinds/plugin-config.md: what kit's plugins are configured with, made from plugins/*/schemas.
import { readPluginSchemas } from '../generate/schemas.mjs';
import { HEAD, READING, textsOf } from './key-tables.mjs';
import { rowsOf } from './schema-rows.mjs';

/** Each configuration of a plugin that has keys; what their page and its test are made of. */
export async function configRows() {
  const plugins = await readPluginSchemas();
  const all = plugins.flatMap(({ plugin, files }) =>
    [...files].map(([file, schema]) => {
      const name = `${plugin}/${file.replace(/\.json$/, '')}`;
      return { name, path: `plugins/${plugin}/schemas/${file}`, schema, rows: rowsOf(files, file) };
    }),
  );
  return all.filter(({ rows }) => rows.length > 0);
}

export const CONFIG_PAGE = 'docs/kinds/plugin-config.md';

/** The page of what kit's plugins are configured with. */
export const configPage = (configs, of) =>
  [
    '# What plugins are configured with',
    '',
    'Each table is the `config` of one of the parts that come with kit, made from the schema that kit checks it against.',
    'Another plugin says it in [its own schema](../plugins/README.md#manifest).',
    '',
    ...READING,
    '',
    ...configs.flatMap(({ name, path, schema, rows }) => [
      `## ${schema.title.replace('Configuration of the ', '').replace(/^./, (first) => first.toUpperCase())}`,
      '',
      ...(schema.description === undefined ? [] : [schema.description, '']),
      `Schema: \`${path}\`.`,
      '',
      ...HEAD,
      ...textsOf(rows, { words: of.words, since: of.since[name] }),
      '',
    ]),
  ].join('\n');
