import type { MetadataExtractor } from '@ai-sdk/openai-compatible';
import type { SharedV4ProviderMetadata } from '@ai-sdk/provider';
import { isObject, type JsonObject } from '@kit-run/kit/plugin';
import { isList, own } from '../shared/json.js';

/** Name under which the wire library hands on what is read here. */
const KEY = 'kitReasoning';

/**
 * What a chat server thought, in the fields that it wants back. Some refuse a conversation that
 * lacks them (`reasoning_content`: DeepSeek and servers of its models; `reasoning_details`:
 * OpenRouter), others one that has any (Groq). So each gets back what it said, under the name that
 * it used; a field that nobody takes back (`reasoning`) is dropped.
 */
interface Thought {
  readonly content: string;
  readonly details: readonly JsonObject[];
}

const NOTHING: Thought = { content: '', details: [] };

/** Reads the thoughts of whole and of streamed answers. */
export const chatReasoning: MetadataExtractor = {
  extractMetadata: ({ parsedBody }) => Promise.resolve(metadataOf(added(NOTHING, choiceOf(parsedBody, 'message')))),
  createStreamExtractor: () => {
    let thought = NOTHING;
    return {
      processChunk: (chunk) => {
        thought = added(thought, choiceOf(chunk, 'delta'));
      },
      buildMetadata: () => metadataOf(thought),
    };
  },
};

/** The fields of an assistant message that go back with it, as options of the wire library. */
export function returnedFields(metadata: SharedV4ProviderMetadata | undefined): JsonObject | null {
  const fields = metadata?.[KEY];
  return fields === undefined ? null : { openaiCompatible: fields as JsonObject };
}

function choiceOf(body: unknown, key: 'message' | 'delta'): JsonObject {
  const choices = isObject(body) ? own(body, 'choices') : undefined;
  const choice = isList(choices) ? choices[0] : undefined;
  const message = isObject(choice) ? own(choice, key) : undefined;
  return isObject(message) ? message : {};
}

function added({ content, details }: Thought, message: JsonObject): Thought {
  const text = own(message, 'reasoning_content');
  const more = own(message, 'reasoning_details');
  return {
    content: typeof text === 'string' ? content + text : content,
    details: isList(more) ? more.filter(isObject).reduce(joined, details) : details,
  };
}

/** Fields of a detail that come in pieces. */
const PIECES = ['text', 'summary', 'data'] as const;

/** A stream gives one detail in many chunks of the same index and type. */
function joined(details: readonly JsonObject[], piece: JsonObject): readonly JsonObject[] {
  const last = details.at(-1);
  const isSame = last !== undefined && own(piece, 'index') !== undefined && sameAt(last, piece, ['index', 'type']);
  if (!isSame) return [...details, piece];
  const known = Object.fromEntries(Object.entries(piece).filter(([, value]) => value !== null));
  const pieces = PIECES.flatMap((key) => {
    const [before, after] = [own(last, key), own(piece, key)];
    return typeof before === 'string' && typeof after === 'string' ? [[key, before + after] as const] : [];
  });
  return [...details.slice(0, -1), { ...last, ...known, ...Object.fromEntries(pieces) }];
}

const sameAt = (a: JsonObject, b: JsonObject, keys: readonly string[]): boolean =>
  keys.every((key) => own(a, key) === own(b, key));

function metadataOf({ content, details }: Thought): SharedV4ProviderMetadata {
  if (content === '' && details.length === 0) return {};
  const fields: JsonObject = {
    ...(content === '' ? {} : { reasoning_content: content }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
  };
  // Options of ours are JSON of theirs: theirs differs in that it is not readonly.
  return { [KEY]: fields } as SharedV4ProviderMetadata;
}
