import { type Json, type JsonObject, KitError } from '@kit-run/kit/plugin';

/** What a caller ties a run to, beside what it asks. */
export interface RunMarks {
  readonly correlationId: string | null;
  readonly labels: Readonly<Record<string, string>>;
  /** The same key and request from the same caller is the same run; null = every call submits. */
  readonly key: string | null;
  /**
   * Who submitted the runs above, on the caller's word: excluded as authors, admitted to nothing.
   */
  readonly onBehalfOf: readonly string[];
}

const MAX_CORRELATION_CHARS = 1024;
const KEY = /^[\x21-\x7e]{1,255}$/;

const invalid = (name: string, message: string): KitError =>
  new KitError('KIT_REQUEST_INVALID', `${name} ${message}`, {
    data: { errors: [{ pointer: `/${name}`, message, code: 'value' }] },
  });

/** PostgreSQL keeps no NUL in a text, so no store is asked to. */
const isKept = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed();

function correlationOf(name: string, value: Json | undefined): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || value.length > MAX_CORRELATION_CHARS || !isKept(value))
    throw invalid(name, `is not text of at most ${MAX_CORRELATION_CHARS} characters`);
  return value;
}

function labelsOf(name: string, value: Json | undefined): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid(name, 'is not an object');
  const entries = Object.entries(value);
  const bad = entries.find(([key, text]) => typeof text !== 'string' || !isKept(key) || !isKept(text));
  if (bad !== undefined) throw invalid(name, `has a value that is not text: ${bad[0].slice(0, 60)}`);
  return value as Readonly<Record<string, string>>; // every value was looked at; how many, the submit counts
}

function keyOf(name: string, value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || !KEY.test(value)) throw invalid(name, 'is not 1 to 255 visible ASCII characters');
  return value;
}

const MAX_BEHALF = 8;
const MAX_IDENTITY_CHARS = 256;

function behalfOf(name: string, value: Json | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  const isList = Array.isArray(value) && value.length <= MAX_BEHALF;
  if (!isList) throw invalid(name, `is not a list of at most ${MAX_BEHALF} identities`);
  return value.map((one: Json) => {
    if (typeof one !== 'string' || one === '' || one.length > MAX_IDENTITY_CHARS || !isKept(one))
      throw invalid(name, 'has an entry that is not an identity');
    return one;
  });
}

/**
 * Reads the marks of a call out of what a client sent along. `names`: under which members they
 * stand. Throws KIT_REQUEST_INVALID naming the member.
 */
export function runMarks(sent: JsonObject, names: Readonly<Record<keyof RunMarks, string>>): RunMarks {
  return {
    correlationId: correlationOf(names.correlationId, sent[names.correlationId]),
    labels: labelsOf(names.labels, sent[names.labels]),
    key: keyOf(names.key, sent[names.key]),
    onBehalfOf: behalfOf(names.onBehalfOf, sent[names.onBehalfOf]),
  };
}
