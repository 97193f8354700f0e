// Answers out of what the program holds, and back: both by the schema of the answer, so no list of
// its members is written twice.
import type { Json, JsonObject } from '../../domain/json.js';
import { isObject } from '../../lib/json.js';
import { HELD, type Held, type HeldOf, type TypeOf } from './words.js';

/**
 * The answer that the schema describes, out of what the program holds: members that the schema does
 * not name stay here, optional ones that are undefined are left out.
 */
export const toWire = <S extends JsonObject>(schema: S, value: HeldOf<S>): TypeOf<S> =>
  formOf(schema).write(value as never) as TypeOf<S>; // each member by the schema that gives the type

/**
 * What the program holds, out of an answer of a server of any version: nothing of it is trusted,
 * what the schema does not name is left out, and what is missing or of another type is empty: '',
 * 0, false, null where it may be, no member, no entry. A word that is new is as it is called.
 */
export const fromWire = <S extends JsonObject>(schema: S, value: unknown): HeldOf<S> => {
  const form = formOf(schema);
  return (form.fits(value) ? form.read(value as never) : form.empty()) as HeldOf<S>; // as above
};

/** How values of one schema are written and read. `read` takes what `fits`. */
interface Form {
  readonly write: (value: never) => unknown;
  readonly fits: (value: unknown) => boolean;
  readonly read: (value: never) => unknown;
  readonly empty: () => unknown;
}

const forms = new WeakMap<JsonObject, Form>();

/** Made once of each schema, when it is first asked for. */
function formOf(schema: JsonObject): Form {
  const known = forms.get(schema);
  if (known !== undefined) return known;
  const form = madeOf(schema);
  forms.set(schema, form);
  return form;
}

const same = <T>(value: T): T => value;
const leaf = (fits: Form['fits'], empty: Json): Form => ({ write: same, fits, read: same, empty: () => empty });

const LEAVES: Readonly<Record<string, Form>> = {
  string: leaf((value) => typeof value === 'string', ''),
  number: leaf((value) => typeof value === 'number', 0),
  integer: leaf((value) => typeof value === 'number', 0),
  boolean: leaf((value) => typeof value === 'boolean', false),
  true: leaf((value) => value === true, false),
  null: leaf((value) => value === null, null),
  object: leaf(isObject, {}),
  any: leaf((value) => value !== undefined, null),
};

function madeOf(schema: JsonObject): Form {
  const { type, anyOf, properties, additionalProperties, items } = schema;
  if (Array.isArray(type)) return orNull(madeOf({ ...schema, type: type.find((one) => one !== 'null') ?? 'null' }));
  if (Array.isArray(anyOf)) {
    const [one, ...others] = anyOf.filter(isObject).filter((choice) => choice.type !== 'null');
    return orNull(one === undefined || others.length > 0 ? leafOf('any') : formOf(one));
  }
  if (isObject(properties)) return objectForm(schema, properties);
  if (isObject(items)) return listForm(formOf(items));
  if (isObject(additionalProperties)) return recordForm(formOf(additionalProperties));
  return leafOf(schema.const === true ? 'true' : typeof type === 'string' ? type : 'enum' in schema ? 'string' : 'any');
}

const leafOf = (name: string): Form => LEAVES[name] ?? leafOf('any');

const orNull = ({ write, fits, read }: Form): Form => ({
  write: (value) => (value === null ? null : write(value)),
  fits: (value) => value === null || fits(value),
  read: (value) => (value === null ? null : read(value)),
  empty: () => null,
});

const listForm = ({ write, fits, read }: Form): Form => ({
  write: (values: readonly never[]) => values.map(write),
  fits: Array.isArray,
  read: (values: readonly never[]) => values.filter(fits).map(read),
  empty: () => [],
});

function recordForm({ write, fits, read }: Form): Form {
  const mapped = (values: object, one: (value: never) => unknown, isTaken: Form['fits']): object =>
    Object.fromEntries(
      Object.entries(values).flatMap(([key, value]) => (isTaken(value) ? [[key, one(value as never)]] : [])),
    );
  return {
    write: (values: object) => mapped(values, write, () => true),
    fits: isObject,
    read: (values: object) => mapped(values, read, fits),
    empty: () => ({}),
  };
}

interface Member extends Held, Form {
  readonly key: string;
  readonly isOptional: boolean;
}

function objectForm(schema: JsonObject, properties: JsonObject): Form {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const members = Object.entries(properties).map(([key, value]): Member => {
    const member = value as JsonObject & { readonly [HELD]?: Held }; // a schema of `words.ts`
    const { name, scale } = member[HELD] ?? { name: key.replaceAll(/_([a-z0-9])/g, upper), scale: 1 };
    const form = scale === 1 ? formOf(member) : scaled(formOf(member), { scale, isWhole: member.type === 'integer' });
    return { ...form, key, name, scale, isOptional: !required.includes(key) };
  });
  const read = (value: JsonObject): unknown => {
    const held: Record<string, unknown> = {};
    for (const { key, name, isOptional, fits, read: readOne, empty } of members) {
      const one = value[key];
      if (fits(one)) held[name] = readOne(one as never);
      else if (!isOptional) held[name] = empty();
    }
    return held;
  };
  return {
    write: (value: Readonly<Record<string, never>>) => {
      const wire: Record<string, unknown> = {};
      for (const { key, name, isOptional, write } of members) {
        const one = value[name];
        if (one !== undefined) wire[key] = write(one);
        else if (!isOptional) throw new TypeError(`${name} of an answer is missing`);
      }
      return wire;
    },
    fits: isObject,
    read,
    empty: () => read({}),
  };
}

const upper = (_all: string, letter: string): string => letter.toUpperCase();

/** Numbers in the units of the answer, which are larger than those of the program. */
const scaled = ({ fits, empty }: Form, { scale, isWhole }: { readonly scale: number; readonly isWhole: boolean }) => ({
  write: (value: number | null) => (value === null ? null : isWhole ? Math.floor(value / scale) : value / scale),
  fits,
  read: (value: number | null) => (value === null ? null : Math.round(value * scale)),
  empty,
});
