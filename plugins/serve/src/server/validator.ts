import { Ajv, type AnySchema, type Schema } from 'ajv';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** What Fastify really hands to a compiler; its types of a factory know the schema alone. */
interface RouteSchema {
  readonly schema: Schema;
  readonly httpPart?: string;
}

type Named = Readonly<Record<string, Schema>>;

/**
 * Members of a body of which every misfit is told. A body of millions would have millions of them,
 * each larger than what is wrong.
 */
const MAX_MEMBERS = 10_000;

const OPTIONS = { strict: false, useDefaults: true, removeAdditional: false } as const;

function validatorOf(named: Named, options: ConstructorParameters<typeof Ajv2020>[0]): Ajv2020 {
  const ajv = new Ajv2020({ ...OPTIONS, ...options });
  addFormats.default(ajv);
  // The bucket of Fastify: each schema under its `$id`.
  for (const [id, schema] of Object.entries(named)) ajv.addSchema(schema, id);
  return ajv;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Level by level, and no further than the limit. */
function isSmall(value: unknown): boolean {
  let [level, seen]: [readonly unknown[], number] = [[value], 0];
  while (level.length > 0 && seen <= MAX_MEMBERS) {
    seen += level.length;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return seen <= MAX_MEMBERS;
}

/**
 * Fastify asks for one for each scope that names schemas of its own (`addSchema`), and gives it
 * those. A compiler that is merely set on the server would not hold there: such a scope would get
 * Fastify's, which drops unknown members and turns one type into another. Text of an address is
 * turned into the type that is asked for; a body says what it is and is taken at its word. Of a
 * body that does not fit every misfit is told, and of a large one the first.
 */
export function buildValidator(bucket: unknown): (route: AnySchema) => ValidateFunction {
  const named = bucket as Named; // schemas by their id, as Fastify keeps them
  const ofAddress = once(() => validatorOf(named, { allErrors: true, coerceTypes: 'array' }));
  const ofBody = once(() => validatorOf(named, { allErrors: false }));
  // Most bodies fit: what tells everything is made for the first that does not.
  const ofMisfits = once(() => validatorOf(named, { allErrors: true }));
  return (route) => {
    const { schema, httpPart } = route as unknown as RouteSchema; // see there
    if (httpPart !== 'body') return ofAddress().compile(schema);
    const fits = ofBody().compile(schema);
    const misfits = once(() => ofMisfits().compile(schema));
    // Fastify looks for what is wrong on the function that it has called.
    const validate = Object.assign(
      (body: unknown): boolean => {
        if (fits(body)) return true;
        const judge = isSmall(body) ? misfits() : fits;
        judge(body);
        validate.errors = judge.errors ?? null;
        return false;
      },
      { errors: null as ErrorObject[] | null }, // nothing is wrong yet
    );
    // Fastify calls it and reads its errors, and nothing else
    return validate as unknown as ValidateFunction;
  };
}

/** The same, one for all scopes that name no schemas of their own. */
export function sharedValidators(): typeof buildValidator {
  let shared: ReturnType<typeof buildValidator> | undefined;
  return (named) => {
    if (Object.keys(named as object).length > 0) return buildValidator(named);
    shared ??= buildValidator({});
    return shared;
  };
}

/**
 * Throws at a schema that is none. It is looked at, not compiled, and in the older dialect, whose
 * meta-schema is one and not eight.
 */
export function createSchemaCheck(): (schema: unknown) => void {
  const ajv = new Ajv({ strict: false });
  const seen = new WeakSet<object>();
  return (schema) => {
    if (typeof schema === 'object' && schema !== null && seen.has(schema)) return;
    // What Fastify hands over is a schema or nothing of JSON Schema at all; the meta-schema tells
    // which. It throws before it answers; the promise of its type is that of `$async` schemas.
    void ajv.validateSchema(schema as object, true);
    if (typeof schema === 'object' && schema !== null) seen.add(schema);
  };
}
