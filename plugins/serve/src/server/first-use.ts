import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import type { buildValidator } from './validator.js';

type Validate = ReturnType<FastifySchemaCompiler<object>>;
type Serialize = (value: unknown) => string;

/** The same check, compiled when the first request comes. */
function validateLater(compile: () => Validate): Validate {
  let compiled: Validate | undefined;
  const validate: Validate = (value: unknown) => {
    compiled ??= compile();
    const result = compiled(value);
    validate.errors = compiled.errors ?? null;
    return result;
  };
  return validate;
}

function serializeLater(compile: () => Serialize): Serialize {
  let compiled: Serialize | undefined;
  return (value) => {
    compiled ??= compile();
    return compiled(value);
  };
}

/** How schemas are looked at and compiled. */
export interface SchemaTools {
  /** A compiler of what requests are checked by, for a scope with these schemas of its own. */
  readonly buildValidator: typeof buildValidator;
  /** Throws at a schema that is none. */
  readonly check: (schema: unknown) => void;
}

/**
 * The schemas of this scope are compiled by the first request that needs them, not at the start:
 * most routes of a server are never asked, and compiling all of them is a tenth of its resident
 * memory. One that is not JSON Schema still keeps the server from starting; one that is and yet
 * does not compile is told by the first request, so this is for scopes whose schemas a test
 * compiles.
 */
export function compileOnFirstUse(scope: FastifyInstance, { buildValidator, check }: SchemaTools): void {
  const serializer = SerializerSelector();
  let validator: ReturnType<typeof buildValidator> | undefined;
  const compile: typeof validator = (route) => {
    validator ??= buildValidator(scope.getSchemas());
    return validator(route);
  };
  scope.setValidatorCompiler<object>((route) => {
    check(route.schema);
    return validateLater(() => compile(route));
  });
  scope.setSerializerCompiler((route) => {
    check(route.schema);
    return serializeLater(() => serializer(scope.getSchemas(), {})({ httpStatus: 'default', ...route }));
  });
}
