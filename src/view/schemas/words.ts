// The words that the answers of the HTTP API are described with. A described answer has the type
// of what it lets through, so the mapper that makes it, the route that sends it and the page that
// reads it are held to one schema.
import type { Json, JsonObject } from '../../lib/json.js';

/** Says how the program holds a member. No text has a symbol, so no document shows it. */
export const HELD = Symbol('held');

/**
 * JSON Schema of an answer that lets `T` through, which the program holds as `H` (`codec.ts`).
 * `~type` and `~held` are types alone: nothing is there.
 */
export type Schema<T extends Json = Json, H = T> = JsonObject & Lets<T, H>;

/** An interface, for declarations spell those out less: they are packed. */
export interface Lets<T, H> {
  readonly '~type'?: T;
  readonly '~held'?: H;
}

/**
 * What a schema lets through: `TypeOf<typeof JOB>` is a job as CLI and HTTP show it. A schema that
 * is written out by hand lets any JSON through.
 */
export type TypeOf<S> = S extends { readonly '~type'?: infer T extends Json } ? T : Json;

/** What the program holds of it: camelCase, and what `held` names otherwise. */
export type HeldOf<S> = S extends { readonly '~held'?: infer H } ? H : TypeOf<S>;

/** Its name in the program, and how many of the program's units one of the answer's has. */
export interface Held<N extends string = string> {
  readonly name: N;
  readonly scale: number;
}
export interface HasName<N extends string = string> {
  readonly [HELD]: Held<N>;
}
/** The name goes around everything else: a choice of two schemas would swallow it. */
type Nameless = JsonObject & { readonly [HELD]?: never };

type Camel<K> = K extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : K;
type HeldName<S, K> = S extends HasName<infer N> ? N : Camel<K>;

type Fields = Readonly<Record<string, JsonObject>>;
type Named<P extends Fields, O extends keyof P> = {
  readonly [K in Exclude<keyof P, O>]: TypeOf<P[K]>;
} & { readonly [K in O]?: TypeOf<P[K]> };

type NamedHeld<P extends Fields, O> = {
  readonly [K in keyof P as K extends O ? never : HeldName<P[K], K>]: HeldOf<P[K]>;
} & { readonly [K in keyof P as K extends O ? HeldName<P[K], K> : never]?: HeldOf<P[K]> };

/** One level of members in one list, so that a person can read it. */
type Flat<T> = { readonly [K in keyof T]: T[K] };

/** An object whose members are known, for schemas that take some of them over. */
export type Closed<P extends Fields, O extends keyof P = never> = Schema<Flat<Named<P, O>>, Flat<NamedHeld<P, O>>> & {
  readonly properties: P;
};

export const ANY: Schema = {};
export const NULL: Schema<null> = { type: 'null' };
export const STRING: Schema<string> = { type: 'string' };
export const INTEGER: Schema<number> = { type: 'integer' };
/** How many. */
export const COUNT: Schema<number> = { type: 'integer', minimum: 0 };
export const NUMBER: Schema<number> = { type: 'number' };
export const TRUE: Schema<true> = { const: true };
export const BOOLEAN: Schema<boolean> = { type: 'boolean' };
/** Tells one answer from another. */
export const YES = { type: 'boolean', enum: [true] } as Schema<true>;
export const NO = { type: 'boolean', enum: [false] } as Schema<false>;
/** ISO 8601 in UTC. */
export const TIMESTAMP: Schema<string> = { type: 'string', format: 'date-time' };
/** Members that nobody lists. */
export const OBJECT: Schema<JsonObject> = { type: 'object', additionalProperties: true };

export const arrayOf = <S extends Nameless>(items: S): Schema<readonly TypeOf<S>[], readonly HeldOf<S>[]> => ({
  type: 'array',
  items,
});
export const STRINGS = arrayOf(STRING);

/** Keys that nobody lists, each with such a value. */
export const recordOf = <S extends Nameless>(
  values: S,
): Schema<{ readonly [key: string]: TypeOf<S> }, { readonly [key: string]: HeldOf<S> }> => ({
  type: 'object',
  additionalProperties: values,
});

/** One of these words. */
export const oneOf = <const W extends readonly string[]>(words: W): Schema<W[number]> => ({
  type: 'string',
  enum: words,
});

/** The same, as routes describe it that name no type. */
export const among = <const W extends readonly string[]>(words: W): Schema<W[number]> => ({ enum: words });

/** An object with these members and no others; all are there but the `optional` ones. */
export const closed = <P extends Fields, const O extends readonly (keyof P & string)[] = readonly []>(
  properties: P,
  optional: O | readonly [] = [],
): Closed<P, O[number]> => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !(optional as readonly string[]).includes(name)),
  properties,
});

/** The same, or null. */
export const nullable = <S extends Nameless>(schema: S): Schema<TypeOf<S> | null, HeldOf<S> | null> =>
  schema.type === 'object' || schema.enum !== undefined
    ? { anyOf: [schema, { type: 'null' }] }
    : { ...schema, type: [schema.type ?? null, 'null'] };
export const TEXT_OR_NULL = nullable(STRING);
export const TIME_OR_NULL = nullable(TIMESTAMP);

/** An object, or null; `nullable` describes the same with a choice of two schemas. */
export const objectOrNull = <S extends Nameless>(schema: S): Schema<TypeOf<S> | null, HeldOf<S> | null> => ({
  ...schema,
  type: ['object', 'null'],
});

/** With what it means, for whoever reads the document of the API. */
export const described = <S extends JsonObject>(schema: S, description: string): S => ({ ...schema, description });

/**
 * A member that the program calls otherwise than its camelCase. `scale`: what the program counts in
 * is so many times smaller: 1000 for seconds that it holds as milliseconds.
 */
export const held = <const N extends string, S extends JsonObject>(name: N, schema: S, scale = 1): S & HasName<N> => ({
  ...schema,
  [HELD]: { name, scale },
});
