// schemas/kinds -> the types of src/domain/generated/artifacts.ts: one namespace, so that a shared
// block has one name.
import { compile } from 'json-schema-to-typescript';
import { readSchemas } from './schemas.mjs';

/** What a type cannot say (or says badly); the validators check it. */
const CONDITIONS = [
  'if',
  'then',
  'else',
  'not',
  'patternProperties',
  'propertyNames',
  'pattern',
  'format',
  'x-version',
  'x-why',
  'x-default',
  'x-status',
  'x-unit',
  '$schema',
  '$defs',
  'discriminator',
  'description',
];

const isRef = (schema) => typeof schema?.$ref === 'string';
const onlyRequires = (branches) => branches.every((branch) => Object.keys(branch).every((key) => key === 'required'));

/** `common.schema.json#/$defs/X` and `#/$defs/X` -> `#/$defs/X`; a whole file -> its title. */
function localRef(ref, titles) {
  const [file, pointer] = ref.split('#');
  return pointer ? `#${pointer}` : `#/$defs/${titles.get(file)}`;
}

const isPlainOpenObject = (schema) =>
  schema.type === 'object' && schema.additionalProperties === true && schema.properties === undefined;

/** The schema as the type generator should see it: without conditions, refinements and titles. */
function shape(schema, titles, isProperties = false) {
  if (Array.isArray(schema)) return schema.map((entry) => shape(entry, titles));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (isProperties)
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, shape(value, titles)]));
  const described = schema.description === undefined ? {} : { description: schema.description };
  // A description beside a $ref would make a second type of the same shape.
  if (isRef(schema)) return { $ref: localRef(schema.$ref, titles) };
  if (isPlainOpenObject(schema)) return { tsType: 'JsonObject', ...described };
  if (isRef(schema.allOf?.[0])) return shape(schema.allOf[0], titles);
  const result = { ...described };
  for (const [key, value] of Object.entries(schema)) {
    if (CONDITIONS.includes(key) || key === 'allOf' || key === 'title') continue;
    if ((key === 'oneOf' || key === 'anyOf') && onlyRequires(value)) continue;
    result[key] = shape(value, titles, key === 'properties');
  }
  return result.oneOf !== undefined && result.type === 'object' && result.properties === undefined
    ? { oneOf: result.oneOf, ...described }
    : result;
}

function collectDefinitions(files) {
  const titles = new Map(files.map(({ name, schema }) => [name, schema.title]));
  const definitions = {};
  const add = (name, schema) => {
    if (definitions[name] !== undefined) throw new Error(`two definitions are called ${name}`);
    definitions[name] = shape(schema, titles);
  };
  for (const { name, schema } of files) {
    if (name !== 'common.schema.json') add(schema.title, schema);
    for (const [key, value] of Object.entries(schema.$defs ?? {})) add(key, value);
  }
  return definitions;
}

/**
 * Artifacts are read, never written; and they are JSON: a type alias, other than an interface, is
 * assignable to JsonObject. Works on the generator's own regular output.
 */
const refine = (text) =>
  text
    .replace(/^export interface (\w+) \{/gm, 'export type $1 = {')
    .replace(/^(\s*)(\[k: string\]|[\w$]+\??|"[^"]+"\??|'[^']+'\??):/gm, '$1readonly $2:')
    .replace(/(\b[A-Za-z]\w*|\([^()]*\))\[\]/g, 'readonly $1[]')
    .replace(/: unknown$/gm, ': Json');

/** The text of artifacts.ts. */
export async function artifactTypes() {
  const definitions = collectDefinitions(await readSchemas('schemas/kinds'));
  const names = Object.keys(definitions);
  const bundle = {
    title: 'EveryArtifact',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    $defs: definitions,
  };
  const text = await compile(bundle, 'EveryArtifact', {
    additionalProperties: false,
    bannerComment: '',
    format: false,
    unknownAny: true,
    ignoreMinAndMaxItems: true,
  });
  const kept = text.replace(/export interface EveryArtifact \{[\s\S]*?\n\}\n/, '');
  return `import type { Json, JsonObject } from '../json.js';\n\n${refine(kept)}`;
}
