import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';

/** Members of a body of which every misfit is told. A body of millions would have millions of them, each larger than what is wrong. */
const MAX_MEMBERS = 10_000;

const OPTIONS = { strict: false, useDefaults: true, removeAdditional: false } as const;

function validatorOf(options: ConstructorParameters<typeof Ajv2020>[0]): Ajv2020 {
  const ajv = new Ajv2020({ ...OPTIONS, ...options });
  addFormats.default(ajv);
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
 * Text of an address is turned into the type that is asked for; a body says what it is and is taken at its word. Of a body that does
 * not fit every misfit is told, and of a large one the first.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  const ofAddress = validatorOf({ allErrors: true, coerceTypes: 'array' });
  const ofBody = validatorOf({ allErrors: false });
  // Most bodies fit: what tells everything is made for the first that does not.
  const ofMisfits = once(() => validatorOf({ allErrors: true }));
  return ({ schema, httpPart }) => {
    if (httpPart !== 'body') return ofAddress.compile(schema);
    const fits = ofBody.compile(schema);
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
    return validate;
  };
}
