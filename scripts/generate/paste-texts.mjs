// The text that a missing field would have, so that a diagnostic can show what to paste. It follows
// from the schema: constants, the first value of an enumeration, the required members of an object.

/** What stands in a text, by the name of its field. */
const TEXTS = {
  id: 'my-id',
  name: 'My name',
  description: 'What it is for, in one sentence.',
  version: '1.0.0',
  command: 'my-command',
};

const candidates = (name) => [TEXTS[name], 'my-id', '1.0.0', 'release:approve'].filter((text) => text !== undefined);
/** A text of which nothing is known but its type is left to the author. */
const fits = (text, { pattern, minLength = 0, format }) =>
  format === undefined && text.length >= minLength && (pattern === undefined || new RegExp(pattern, 'u').test(text));

/** What stands behind these judges the same value as the schema around it. */
const BRANCHES = ['allOf', 'anyOf', 'oneOf', 'then', 'else'];

/** Deeper samples would show more than a line. */
const MAX_DEPTH = 4;

const PLAIN = /^[A-Za-z][\w ./-]*$|^\d+\.\d+\.\d+$/;

function flow(value) {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value === 'object' && value !== null && Object.keys(value).length === 0) return '{}';
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, one]) => `${key}: ${flow(one)}`)
      .join(', ')} }`;
  return typeof value === 'string' && PLAIN.test(value) ? value : JSON.stringify(value);
}

/** Writes `x-paste` (field -> text) into the schemas of a folder: `[{ name, schema }]`. */
export function addPasteTexts(files) {
  const documents = new Map(files.map(({ name, schema }) => [name, schema]));

  function resolved(schema, document) {
    if (schema.$ref === undefined) return { schema, document };
    const [file, pointer = ''] = schema.$ref.split('#');
    const target = file === '' ? document : documents.get(file);
    const found = pointer
      .split('/')
      .slice(1)
      .reduce((at, key) => at?.[key], target);
    return found === undefined ? null : resolved(found, target);
  }

  /** A value that fits; undefined = none can be told from the schema. */
  function sample(schema, document, name, depth = 0) {
    const place = resolved(schema, document);
    if (place === null || depth > MAX_DEPTH) return undefined;
    const { schema: own, document: home } = place;
    if (own.const !== undefined) return own.const;
    if (own.enum !== undefined) return own.enum.includes('worker') ? 'worker' : own.enum[0];
    if (own.allOf !== undefined && own.type === undefined) return narrowed(own.allOf, home, name, depth);
    switch (own.type) {
      case 'object':
        return members(own, home, depth);
      case 'array': {
        if (own.minItems === undefined) return [];
        const item = own.minItems > 1 ? undefined : sample(own.items ?? {}, home, '', depth + 1);
        return item === undefined ? undefined : [item];
      }
      case 'string':
        return own.pattern === undefined && !(name in TEXTS) ? '...' : candidates(name).find((text) => fits(text, own));
      case 'integer':
      case 'number':
        return own.minimum ?? 1;
      case 'boolean':
        return true;
      default:
        return undefined;
    }
  }

  /** The first of several schemas for one value, with what the others fix of it. */
  function narrowed([first, ...others], document, name, depth) {
    const value = sample(first, document, name, depth);
    const fixed = others
      .flatMap(({ properties = {} }) => Object.entries(properties))
      .filter(([, { const: only }]) => only !== undefined);
    return typeof value !== 'object' || value === null
      ? value
      : { ...value, ...Object.fromEntries(fixed.map(([key, { const: only }]) => [key, only])) };
  }

  function members(schema, document, depth) {
    const entries = (schema.required ?? []).map((name) => [
      name,
      sample(schema.properties?.[name] ?? {}, document, name, depth + 1),
    ]);
    return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries);
  }

  /**
   * Writes `x-paste` (field -> text) into every object of a schema that requires fields. A branch
   * may require what the object around it describes (`around`).
   */
  function annotate(node, document, around) {
    if (typeof node !== 'object' || node === null) return;
    const properties = { ...around, ...(Array.isArray(node) ? {} : node.properties) };
    for (const [key, value] of Object.entries(node))
      annotate(value, document, Array.isArray(node) || BRANCHES.includes(key) ? properties : undefined);
    // A branch that requires and says nothing else is one of several choices; it stays bare.
    if (!Array.isArray(node.required) || Object.keys(node).length === 1) return;
    const texts = node.required.flatMap((name) => {
      const schema = properties[name];
      const value = schema === undefined ? undefined : sample(schema, document, name);
      return value === undefined ? [] : [[name, `${name}: ${flow(value)}`]];
    });
    if (texts.length > 0) node['x-paste'] = Object.fromEntries(texts);
  }

  for (const { schema } of files) annotate(schema, schema);
}
