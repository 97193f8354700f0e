// schemas/kinds -> src/compile/generated/validators.ts: validators compiled ahead (compiling at run
// time costs 130 ms more). The output is a .ts file so that the ordinary build carries it into
// dist; it is generated code and not type-checked.
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import { addPasteTexts } from './paste-texts.mjs';
import { readSchemas } from './schemas.mjs';

const HEAD = `// @ts-nocheck
import type { ValidateFunction } from 'ajv';
`;

/**
 * Imports for what the code of ajv requires: a require() would look beside kit, where nothing is
 * installed, for what the build folds in.
 */
export function withImports(code) {
  const names = new Map();
  const text = code.replaceAll(/\brequire\("([^"]+)"\)(\.default)?/g, (_, module, byDefault) => {
    const name = names.get(module) ?? `required${names.size}`;
    names.set(module, name);
    // Node gives what a CommonJS module exports, Vite its default export.
    return byDefault === undefined ? name : `(${name}.default ?? ${name})`;
  });
  return [...[...names].map(([module, name]) => `import ${name} from '${module}.js';`), text].join('\n');
}

/** The text of validators.ts: \`validators\`, by schema title. */
export async function validatorModule() {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    allowUnionTypes: true,
    ownProperties: true,
    inlineRefs: false,
    verbose: true,
    // Sentences are those of src/compile/schema/sentences.ts.
    messages: false,
    discriminator: true,
    code: { source: true, esm: true },
  });
  addFormats.default(ajv);
  ajv.addVocabulary(['x-version', 'x-why', 'x-default', 'x-status', 'x-unit', 'x-paste']);
  const files = await readSchemas('schemas/kinds');
  addPasteTexts(files);
  for (const { name, schema } of files) ajv.addSchema(schema, name);
  const kinds = files.filter(({ name }) => name !== 'common.schema.json');
  const code = standaloneCode.default(
    ajv,
    Object.fromEntries(kinds.map(({ name, schema }) => [`validate${schema.title}`, name])),
  );
  const table = kinds.map(({ schema }) => `  ${schema.title}: validate${schema.title},`).join('\n');
  const body = withImports(code.replace(/^"use strict";\n?/, '')).replaceAll(
    /export const (validate\w+) = /g,
    'const $1 = ',
  );
  return `${HEAD}${body}\n/** Schema title -> validator. */\nexport const validators: Readonly<Record<string, ValidateFunction>> = {\n${table}\n};\n`;
}
