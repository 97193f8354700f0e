import type { Json } from '../domain/json.js';
import type { MessagePart, ModelMessage, ModelRequest, ModelResult } from '../domain/ports/model.js';
import type { KeptPrompt } from '../domain/ports/prompts.js';
import type { AskedModel } from '../engine/services.js';

/** Characters of one text; of a longer one both ends are kept. */
const MAX_TEXT_CHARS = 16_384;
/** Characters of the messages of one call; of more than that the newest are kept, and the first, which says who the agent is. */
const MAX_PROMPT_CHARS = 131_072;

/** A call as it is kept: masked before it is cut, so that no cut goes through a secret. */
export function keptPrompt(asked: AskedModel, of: { readonly jobId: string; readonly mask: <T extends Json>(value: T) => T }): KeptPrompt {
  const { request, result, askedAtMs, durationMs, ...call } = asked;
  const text = (value: unknown): string => JSON.stringify(cutTexts(of.mask(JSON.parse(JSON.stringify(value)) as Json))); // plain JSON by construction
  return {
    ...call,
    jobId: of.jobId,
    model: request.model,
    askedAt: new Date(askedAtMs).toISOString(),
    durationMs: Math.max(0, Math.round(durationMs)),
    prompt: text(promptOf(request)),
    answer: text(answerOf(result)),
  };
}

function promptOf({ messages, tools, outputSchema, temperature, maxTokens, options }: ModelRequest) {
  const { kept, leftOut } = newest(messages.map(withoutBytes));
  return {
    messages: kept,
    ...(leftOut === 0 ? {} : { messages_left_out: leftOut }),
    tools: tools.map(({ name }) => name),
    output_schema: outputSchema,
    temperature,
    max_tokens: maxTokens,
    options,
  };
}

const answerOf = (result: ModelResult) =>
  result.ok
    ? { parts: result.response.parts.map(plainPart), finish: result.response.finish, model: result.response.model }
    : { failure: result.failure };

const withoutBytes = ({ role, parts }: ModelMessage) => ({ role, parts: parts.map(plainPart) });

/** Without the bytes of images, and without what only the provider reads. */
function plainPart(part: MessagePart): object {
  if (part.type === 'image') return { type: 'image', media_type: part.mediaType, base64_chars: part.data.length };
  if (part.type === 'tool_result') return part;
  const { state: _, ...plain } = part;
  return plain;
}

/** After `MAX_PROMPT_CHARS` of cut texts, from the end. */
function newest<T>(messages: readonly T[]): { readonly kept: readonly T[]; readonly leftOut: number } {
  const [first, ...rest] = messages;
  const sizeOf = (message: T): number => JSON.stringify(cutTexts(message as Json)).length; // a message is plain JSON
  let left = MAX_PROMPT_CHARS - (first === undefined ? 0 : sizeOf(first));
  const kept: T[] = [];
  for (const message of rest.toReversed()) {
    left -= sizeOf(message);
    if (left < 0 && kept.length > 0) break;
    kept.unshift(message);
  }
  return { kept: first === undefined ? [] : [first, ...kept], leftOut: rest.length - kept.length };
}

function cutTexts(value: Json): Json {
  if (typeof value === 'string') return cutText(value);
  if (Array.isArray(value)) return value.map(cutTexts);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, member === undefined ? null : cutTexts(member)]));
}

function cutText(text: string): string {
  if (text.length <= MAX_TEXT_CHARS) return text;
  const half = MAX_TEXT_CHARS / 2;
  return `${text.slice(0, half).toWellFormed()}[${text.length - MAX_TEXT_CHARS} characters left out]${text.slice(-half).toWellFormed()}`;
}
