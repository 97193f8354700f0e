import { Ajv, type AnySchema } from 'ajv';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** What Fastify really hands to a compiler; its types of a factory know the schema alone. */
interface RouteSchema {
  readonly schema: AnySchema;
  readonly httpPart?: string;
}

/**
 * Fastify asks for one for each scope that names schemas of its own (`addSchema`), and gives it those. A compiler that is merely set on
 * the server would not hold there: such a scope would get Fastify's, which drops unknown members and turns one type into another.
 * Text of an address is turned into the type that is asked for; a body says what it is and is taken at its word.
 */
export function buildValidator(named: unknown): (route: AnySchema) => ValidateFunction {
  const options = { allErrors: true, strict: false, useDefaults: true, removeAdditional: false } as const;
  const ofBody = new Ajv2020(options);
  const ofAddress = new Ajv2020({ ...options, coerceTypes: 'array' });
  for (const ajv of [ofBody, ofAddress]) {
    addFormats.default(ajv);
    // The bucket of Fastify: each schema under its `$id`.
    for (const [id, schema] of Object.entries(named as Readonly<Record<string, AnySchema>>)) ajv.addSchema(schema, id);
  }
  return (route) => {
    const { schema, httpPart } = route as unknown as RouteSchema; // see there
    return (httpPart === 'body' ? ofBody : ofAddress).compile(schema);
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

/** Throws at a schema that is none. It is looked at, not compiled, and in the older dialect, whose meta-schema is one and not eight. */
export function createSchemaCheck(): (schema: unknown) => void {
  const ajv = new Ajv({ strict: false });
  const seen = new WeakSet<object>();
  return (schema) => {
    if (typeof schema === 'object' && schema !== null && seen.has(schema)) return;
    // What Fastify hands over is a schema or nothing of JSON Schema at all; the meta-schema tells which.
    ajv.validateSchema(schema as object, true);
    if (typeof schema === 'object' && schema !== null) seen.add(schema);
  };
}
