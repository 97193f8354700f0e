import { isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';
import { badParams, RpcFailure } from '../rpc/failure.js';
import { memberOf, textOf } from '../rpc/members.js';

/** One part of a message, whichever version wrote it. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly data: Json }
  /** Base64. */
  | { readonly kind: 'file'; readonly data: string; readonly name: string | null };

/** As many as `POST /run` takes. */
const MAX_FILES = 16;
const MAX_PARTS = 1000;

const byUri = (where: string): RpcFailure =>
  new RpcFailure(-32005, `${where} names an address; a file comes with its bytes`);

/** 0.3: `{kind: text|data|file}`; 1.0: one of `text`, `data`, `raw`, `url`. */
function partOf(value: Json, where: string): Part {
  if (!isObject(value)) throw badParams(`${where} is not an object`);
  const file = memberOf(value, 'file');
  if (isObject(file)) return fileOf(file, 'bytes', 'name', where);
  if (memberOf(value, 'raw') !== undefined) return fileOf(value, 'raw', 'filename', where);
  if (memberOf(value, 'url') !== undefined) throw byUri(where);
  const text = memberOf(value, 'text');
  if (typeof text === 'string') {
    if (text.includes('\u0000')) throw badParams(`${where}.text holds a NUL character`);
    return { kind: 'text', text };
  }
  if (Object.hasOwn(value, 'data') && value.data !== undefined) return { kind: 'data', data: value.data };
  throw badParams(`${where} holds neither text, data nor a file with its bytes`);
}

function fileOf(file: JsonObject, bytes: string, name: string, where: string): Part {
  const data = memberOf(file, bytes);
  if (typeof data !== 'string') {
    if (memberOf(file, 'uri') !== undefined) throw byUri(where);
    throw badParams(`${where} is a file without its bytes`);
  }
  return { kind: 'file', data, name: textOf(file, name, where, 255) ?? null };
}

/** What is asked: the input of a run, and its attachments. */
export interface MessageRequest {
  readonly input: Json;
  readonly attachments: readonly { readonly data: string; readonly name?: string }[];
}

/**
 * Text parts joined by lines, data parts as JSON text among them; a message that is one data part
 * is that data. Files become attachments. Throws -32602, and -32005 for a file by its address.
 */
export function requestOf(parts: Json | undefined): MessageRequest {
  if (!Array.isArray(parts) || parts.length === 0) throw badParams('message.parts holds no part');
  if (parts.length > MAX_PARTS) throw badParams(`message.parts holds more than ${MAX_PARTS} parts`);
  const all = parts.map((part, index) => partOf(part, `message.parts[${index}]`));
  const files = all.filter((part) => part.kind === 'file');
  if (files.length > MAX_FILES) throw badParams(`message.parts holds more than ${MAX_FILES} files`);
  const said = all.filter((part) => part.kind !== 'file');
  const [only, ...others] = said;
  if (only === undefined) throw badParams('message.parts holds neither text nor data');
  return {
    input:
      only.kind === 'data' && others.length === 0
        ? only.data
        : said.map((part) => (part.kind === 'text' ? part.text : JSON.stringify(part.data))).join('\n'),
    attachments: files.map(({ data, name }) => ({ data, ...(name === null ? {} : { name }) })),
  };
}
