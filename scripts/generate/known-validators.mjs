// Schemas of what kit's own plugins are configured with -> src/lib/generated/known-validators.ts:
// compiled ahead, as src/lib/json-schema.ts would at run time (18 ms for one of a model provider).
// Each is found by the whole text of its schema: one that was changed since is compiled anew, and
// never judged by what it was.
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { root } from './schemas.mjs';
import { withImports } from './validators.mjs';

const HEAD = `// @ts-nocheck
import type { ValidateFunction } from 'ajv';
`;

/** Paths of the schemas that a manifest names. */
async function namedIn(manifest) {
  const { kit = {} } = JSON.parse(await readFile(manifest, 'utf8'));
  return Object.values(kit.contributes ?? {})
    .flat()
    .flatMap(({ configSchema }) => (configSchema === undefined ? [] : [join(dirname(manifest), configSchema)]));
}

/** The text of known-validators.ts: `knownValidators`, by the text of the schema. */
export async function knownValidatorModule() {
  const folder = fileURLToPath(root);
  const manifests = (await Array.fromAsync(glob('plugins/*/package.json', { cwd: folder }))).sort();
  const paths = (await Promise.all(manifests.map((path) => namedIn(join(folder, path))))).flat();
  const texts = await Promise.all(
    [...new Set(paths)].map(async (path) => JSON.stringify(JSON.parse(await readFile(path, 'utf8')))),
  );
  const named = [...new Set(texts)].map((text, at) => ({ text, name: `known${at}` }));
  const ajv = new Ajv2020({
    // Those of src/lib/json-schema.ts.
    strict: false,
    allErrors: true,
    allowUnionTypes: true,
    validateSchema: false,
    code: { source: true, esm: true },
  });
  addFormats.default(ajv);
  for (const { name, text } of named) ajv.addSchema(JSON.parse(text), name);
  const code = standaloneCode.default(ajv, Object.fromEntries(named.map(({ name }) => [name, name])));
  const body = withImports(code.replace(/^"use strict";\n?/, '')).replaceAll(
    /export const (known\d+) = /g,
    'const $1 = ',
  );
  const table = named.map(({ name, text }) => `  [${JSON.stringify(text)}, ${name}],`).join('\n');
  return `${HEAD}${body}
/** Text of a schema, as \`JSON.stringify\` writes it -> its validator. */
export const knownValidators: ReadonlyMap<string, ValidateFunction> = new Map([\n${table}\n]);\n`;
}
