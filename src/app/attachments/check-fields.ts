import { refuseAttachment } from './refuse.js';

/** An attachment whose fields are what they may be; its bytes are not looked at yet. */
export type CheckedAttachment = {
  readonly name: string | null;
  readonly handling: 'preprocess' | 'native';
} & ({ readonly from: 'path'; readonly path: string } | { readonly from: 'data'; readonly data: string });

const FIELDS: readonly string[] = ['path', 'data', 'name', 'handling'];
const MAX_NAME_CHARS = 255;

/** Fields, their types, and exactly one of path and data. Throws KIT_ATTACHMENT_INVALID. */
export function checkFields(input: unknown, index: number): CheckedAttachment {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw refuseAttachment(index, 'not_an_object', 'is not an object');
  const fields: Readonly<Record<string, unknown>> = { ...input };
  refuseUnknown(fields, index);
  const path = textField(fields, 'path', index);
  const data = textField(fields, 'data', index);
  const rest = {
    name: checkName(textField(fields, 'name', index), index),
    handling: checkHandling(fields.handling, index),
  };
  if (path !== null && data !== null)
    throw refuseAttachment(index, 'path_and_data', 'has both path and data; give one');
  if (path !== null) return { from: 'path', path, ...rest };
  if (data !== null) return { from: 'data', data, ...rest };
  throw refuseAttachment(index, 'no_content', 'has neither path nor data; give one');
}

function refuseUnknown(fields: Readonly<Record<string, unknown>>, index: number): void {
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown === undefined) return;
  if (['type', 'media_type', 'mediaType', 'mime_type', 'mimeType'].includes(unknown)) {
    throw refuseAttachment(index, 'type_given', `has the field "${unknown}"; the media type is read from the content`);
  }
  if (['url', 'uri', 'stream'].includes(unknown)) {
    throw refuseAttachment(
      index,
      'remote_source',
      `has the field "${unknown}"; addresses are never fetched, give path or data`,
    );
  }
  throw refuseAttachment(
    index,
    'unknown_field',
    `has the field ${JSON.stringify(unknown)}; only ${FIELDS.join(', ')} are allowed`,
  );
}

function textField(fields: Readonly<Record<string, unknown>>, name: string, index: number): string | null {
  const value = fields[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string' || value === '')
    throw refuseAttachment(index, 'bad_field', `has a ${name} that is ${value === '' ? 'empty' : 'not text'}`);
  return value;
}

function checkName(name: string | null, index: number): string | null {
  if (name === null) return null;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
  if (name.length > MAX_NAME_CHARS || /[\u0000-\u001f\u007f/\\]/.test(name)) {
    throw refuseAttachment(
      index,
      'bad_name',
      `has a name that is not a display name (at most ${MAX_NAME_CHARS} characters, no slashes or control characters)`,
    );
  }
  return name;
}

function checkHandling(value: unknown, index: number): 'preprocess' | 'native' {
  if (value === undefined || value === null) return 'preprocess';
  if (value === 'preprocess' || value === 'native') return value;
  throw refuseAttachment(
    index,
    'bad_handling',
    `has the handling ${JSON.stringify(value)}; it is preprocess or native`,
  );
}
