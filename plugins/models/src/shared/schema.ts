import { isObject, type Json, type JsonObject, type JsonSchema } from '@kit-run/kit/plugin';
import { isList, own } from './json.js';

/**
 * Longest chain of references, and deepest nest of `allOf`, that is followed: a schema may refer to
 * itself.
 */
const MAX_REFS = 32;

/**
 * A schema with its local `$ref`s followed and its `allOf` folded in. References to other documents
 * do not resolve here: such a schema allows anything, and the check of the whole answer finds what
 * it finds.
 */
export function resolveSchema(schema: Json | undefined, root: JsonSchema): JsonSchema {
  return resolveAt(schema, root, 0);
}

function resolveAt(schema: Json | undefined, root: JsonSchema, depth: number): JsonSchema {
  let current = isObject(schema) ? schema : {};
  for (let hops = 0; hops < MAX_REFS; hops += 1) {
    const ref = own(current, '$ref');
    if (typeof ref !== 'string') return foldAllOf(current, root, depth);
    const target = atPointer(root, ref);
    if (target === undefined) return foldAllOf(without(current, '$ref'), root, depth);
    current = { ...target, ...without(current, '$ref') };
  }
  return {};
}

/**
 * The types a schema names; empty = it names none. Type names are read from `properties` and
 * `items` where `type` is absent.
 */
export function typesOf(schema: JsonSchema): readonly string[] {
  const type = own(schema, 'type');
  if (typeof type === 'string') return [type];
  if (isList(type)) return type.filter((item) => typeof item === 'string');
  if (isObject(own(schema, 'properties'))) return ['object'];
  if (own(schema, 'items') !== undefined) return ['array'];
  return [];
}

export function propertiesOf(schema: JsonSchema): JsonObject {
  const properties = own(schema, 'properties');
  return isObject(properties) ? properties : {};
}

export function requiredOf(schema: JsonSchema): readonly string[] {
  const required = own(schema, 'required');
  return isList(required) ? required.filter((item) => typeof item === 'string') : [];
}

/**
 * The alternatives of `anyOf` or `oneOf`, each with the rest of the schema around it; empty = there
 * are none.
 */
export function branchesOf(schema: JsonSchema): readonly JsonSchema[] {
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = own(schema, keyword);
    if (isList(branches))
      return branches.filter(isObject).map((branch) => ({ ...without(schema, keyword), ...branch }));
  }
  return [];
}

function foldAllOf(schema: JsonSchema, root: JsonSchema, depth: number): JsonSchema {
  const parts = own(schema, 'allOf');
  if (!isList(parts)) return schema;
  return parts.reduce<JsonSchema>(
    (merged, part) => mergeObjects(merged, depth >= MAX_REFS ? {} : resolveAt(part, root, depth + 1)),
    without(schema, 'allOf'),
  );
}

function mergeObjects(a: JsonSchema, b: JsonSchema): JsonSchema {
  const properties = { ...propertiesOf(a), ...propertiesOf(b) };
  const required = [...new Set([...requiredOf(a), ...requiredOf(b)])];
  return {
    ...a,
    ...b,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

function atPointer(root: JsonSchema, ref: string): JsonSchema | undefined {
  if (!ref.startsWith('#')) return undefined;
  let current: Json | undefined = root;
  for (const token of decodeURIComponent(ref.slice(1)).split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (isList(current)) current = current[Number(key)];
    else if (isObject(current)) current = own(current, key);
    else return undefined;
  }
  return isObject(current) ? current : undefined;
}
