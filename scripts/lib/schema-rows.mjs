// The keys of a kind, read from its schema: one row for each place that a key may stand at.

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where a $ref leads: the file, the schema, and a name by which a circle is known. */
function follow(schemas, file, ref) {
  const [name, pointer = ''] = ref.split('#');
  const target = name === '' ? file : name;
  const schema = pointer
    .split('/')
    .slice(1)
    .reduce((value, segment) => value[segment], schemas.get(target));
  return { file: target, schema, id: `${target}#${pointer}` };
}

/**
 * A place as all its parts say together: `$ref`, `allOf`, and each branch of `oneOf` and `anyOf`.
 * Conditions (`if`, `not`) add no key.
 */
function shapeOf(schemas, { file, schema }, seen = []) {
  const parts = [{ file, schema }];
  const refs = [];
  if (typeof schema.$ref === 'string') {
    const to = follow(schemas, file, schema.$ref);
    if (seen.includes(to.id)) return { parts, refs: [to.id], isCircle: true };
    refs.push(to.id);
    const inner = shapeOf(schemas, to, [...seen, to.id]);
    if (inner.isCircle) return { parts, refs: [...refs, ...inner.refs], isCircle: true };
    parts.push(...inner.parts);
    refs.push(...inner.refs);
  }
  for (const branch of [schema.allOf, schema.oneOf, schema.anyOf].flat().filter(isObject)) {
    const inner = shapeOf(schemas, { file, schema: branch }, seen);
    if (inner.isCircle) return { parts, refs: [...refs, ...inner.refs], isCircle: true };
    parts.push(...inner.parts);
    refs.push(...inner.refs);
  }
  return { parts, refs, isCircle: false };
}

const named = (path, name) => (path === '' ? name : `${path}.${name}`);

/** Keys that a place has, those of one name together, in the order of the schema. */
function keysOf(parts) {
  const found = new Map();
  for (const { file, schema } of parts) {
    for (const [name, child] of Object.entries(schema.properties ?? {}))
      if (isObject(child)) found.set(name, [...(found.get(name) ?? []), { file, schema: child }]);
  }
  return found;
}

/** What lies below a place without a name of its own: items of a list, values of a map. */
function nameless(parts) {
  const items = parts.flatMap(({ file, schema }) => (isObject(schema.items) ? [{ file, schema: schema.items }] : []));
  const values = parts.flatMap(({ file, schema }) =>
    [schema.additionalProperties, ...Object.values(schema.patternProperties ?? {})]
      .filter(isObject)
      .map((value) => ({ file, schema: value })),
  );
  return { items, values };
}

function shapeOfAll(schemas, nodes, seen) {
  const shapes = nodes.map((node) => shapeOf(schemas, node, seen));
  return {
    parts: shapes.flatMap(({ parts }) => parts),
    refs: shapes.flatMap(({ refs }) => refs),
    isCircle: shapes.some(({ isCircle }) => isCircle),
  };
}

/**
 * Every key of a kind: its path (`[]` for an item of a list, `<name>` for a key of a map), its
 * declarations with all that their references say, those of its items and values, whether the place
 * above demands it, and whether its keys are told further up already.
 */
export function rowsOf(schemas, file) {
  const rows = new Map();
  const visit = (nodes, path, seen) => {
    const { parts, refs, isCircle } = shapeOfAll(schemas, nodes, seen);
    if (isCircle) return true;
    const inside = [...seen, ...refs];
    for (const [name, declared] of keysOf(parts)) {
      const at = named(path, name);
      if (rows.has(at)) continue;
      // Of several branches a key is demanded where all that know it demand it.
      const knowing = parts.filter(({ schema }) => schema.properties?.[name] !== undefined);
      const own = shapeOfAll(schemas, declared, []).parts;
      const inner = nameless(own);
      const schemasOf = (nodes) => shapeOfAll(schemas, nodes, []).parts.map(({ schema }) => schema);
      const row = {
        path: at,
        declared: own.map(({ schema }) => schema),
        items: schemasOf(inner.items),
        values: schemasOf(inner.values),
        isRequired: knowing.some(({ schema }) => schema.required?.includes(name)),
        isListedAbove: false,
      };
      rows.set(at, row);
      row.isListedAbove = visit(declared, at, inside);
    }
    const { items, values } = nameless(parts);
    const below = [
      items.length > 0 && visit(items, `${path}[]`, inside),
      values.length > 0 && visit(values, `${path}.<name>`, inside),
    ];
    return below.some(Boolean);
  };
  visit([{ file, schema: schemas.get(file) }], '', []);
  return [...rows.values()];
}
