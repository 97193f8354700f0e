import type { Json } from '../domain/json.js';
import type { MessagePart, ModelMessage, ModelRequest, ModelResult } from '../domain/ports/model.js';
import type { HeldCall, HeldConversation } from '../domain/ports/prompts.js';
import { MAX_PROMPT_CHARS, NewestTexts } from '../domain/texts-so-far.js';
import type { AskedModel } from '../engine/services/run-observers.js';
import { isoAt } from '../lib/iso-at.js';
import { mapTexts } from '../lib/map-texts.js';

/** Characters of one text; of a longer one both ends are kept. */
const MAX_TEXT_CHARS = 16_384;

/** What was taken in of a conversation; the messages themselves are the engine's alone. */
interface TakenIn {
  readonly conversation: HeldConversation;
  readonly texts: NewestTexts;
  /** As many as `mask` knew then. */
  readonly secrets: number;
}

interface KeptOf {
  readonly jobId: string;
  /** Of the run: what two claims make of a conversation is not mixed. */
  readonly attempt: number;
  readonly mask: <T extends Json>(value: T) => T;
  /** How many secrets `mask` knows now: with a new one all of a conversation is masked anew. */
  readonly secretsKnown: () => number;
}

/**
 * Makes the calls of one claim into what is kept of them: masked before they are cut, so that no
 * cut goes through a secret, and of a conversation, which only grows, each message once.
 */
export function keptCalls({ jobId, attempt, mask, secretsKnown }: KeptOf): (asked: AskedModel) => HeldCall {
  // By the newest message of each: what was taken in of a conversation lives as long as it does.
  const takenUpTo = new WeakMap<ModelMessage, TakenIn>();
  let begun = 0;
  // What is kept is plain JSON by construction.
  const textOf = (value: object | number | null): string => textWithin(mask(value as Json));
  // The same object in each call of an agent: a snapshot holds it, and nobody changes it.
  const frozen = new WeakMap<object, { readonly text: string; readonly secrets: number }>();
  const textOnce = (value: object | null): string => {
    if (value === null) return 'null';
    const known = frozen.get(value);
    if (known?.secrets === secretsKnown()) return known.text;
    const made = { text: textOf(value), secrets: secretsKnown() };
    frozen.set(value, made);
    return made.text;
  };
  const settingsOf = ({ tools, outputSchema, temperature, maxTokens, effort, strict, options }: ModelRequest): string =>
    `{"tools":${textOf(tools.map(({ name }) => name))},"output_schema":${textOnce(outputSchema)},` +
    `"temperature":${textOf(temperature)},"max_tokens":${textOf(maxTokens)},${effort === undefined ? '' : `"effort":"${effort}",`}${strict === undefined ? '' : '"strict":true,'}"options":${textOnce(options)}}`;
  const find = (messages: readonly ModelMessage[]): TakenIn | undefined => {
    for (let count = messages.length; count > 0; count -= 1) {
      const message = messages[count - 1];
      const taken = message === undefined ? undefined : takenUpTo.get(message);
      if (taken?.texts.count === count) return taken.secrets === secretsKnown() ? taken : undefined;
    }
    return undefined;
  };
  const begin = (texts: NewestTexts): TakenIn => {
    begun += 1;
    return { conversation: { name: `${attempt} ${begun}` }, texts, secrets: secretsKnown() };
  };
  return ({ request, result, askedAtMs, durationMs, ...call }) => {
    const { messages } = request;
    const textAt = (place: number): string => textOf(plainMessage(messages[place]));
    const known = find(messages);
    const before = known?.texts.taken ?? 0;
    const taken = known ?? begin(new NewestTexts(MAX_PROMPT_CHARS, { count: messages.length, textAt }));
    while (taken.texts.count < messages.length) taken.texts.add(textAt(taken.texts.count));
    const last = messages.at(-1);
    if (last !== undefined) takenUpTo.set(last, taken);
    const [settings, answer] = [settingsOf(request), textOf(answerOf(result))];
    return {
      ...call,
      jobId,
      model: request.model,
      askedAt: isoAt(askedAtMs),
      durationMs: Math.max(0, Math.round(durationMs)),
      conversation: taken.conversation,
      messages: taken.texts.soFar(),
      settings,
      answer,
      chars: taken.texts.taken - before + settings.length + answer.length,
    };
  };
}

const answerOf = (result: ModelResult) =>
  result.ok
    ? { parts: result.response.parts.map(plainPart), finish: result.response.finish, model: result.response.model }
    : { failure: result.failure };

const plainMessage = (message: ModelMessage | undefined) =>
  message === undefined ? {} : { role: message.role, parts: message.parts.map(plainPart) };

/** Without the bytes of images, and without what only the provider reads. */
function plainPart(part: MessagePart): object {
  if (part.type === 'document')
    return { type: 'document', media_type: part.mediaType, name: part.name, base64_chars: part.data.length };
  if (part.type === 'image') return { type: 'image', media_type: part.mediaType, base64_chars: part.data.length };
  if (part.type === 'tool_result' || part.state === undefined) return part;
  const { state: _, ...plain } = part;
  return plain;
}

/** JSON text with each text in it cut; most are short, and then nothing is looked at twice. */
function textWithin(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_TEXT_CHARS ? text : JSON.stringify(mapTexts(value, cutText));
}

function cutText(text: string): string {
  if (text.length <= MAX_TEXT_CHARS) return text;
  const half = MAX_TEXT_CHARS / 2;
  return `${text.slice(0, half).toWellFormed()}[${text.length - MAX_TEXT_CHARS} characters left out]${text.slice(-half).toWellFormed()}`;
}
