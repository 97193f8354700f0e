import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';

/** Text of an address is turned into the type that is asked for; a body says what it is and is taken at its word. */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  const options = { allErrors: true, strict: false, useDefaults: true, removeAdditional: false } as const;
  const ofBody = new Ajv2020(options);
  const ofAddress = new Ajv2020({ ...options, coerceTypes: 'array' });
  for (const ajv of [ofBody, ofAddress]) addFormats.default(ajv);
  return ({ schema, httpPart }) => (httpPart === 'body' ? ofBody : ofAddress).compile(schema);
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
