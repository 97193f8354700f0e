import type { MessagePart, ModelMessage } from '../../domain/ports/model.js';
import { resultLeftOut } from '../../prompts/shortened.js';
import { RETRIEVE } from '../compress/ref.js';
import { outputText, tokensOf } from '../results.js';

/** Tokens of a model's window, and of what a conversation had of it with its last answer. */
export type ContextUse = {
  readonly window: number;
  /** null = the provider did not say. */
  readonly used: number | null;
};

/** Names the call that a result came from (`refOf`), by the part that holds it. */
export type Refs = ReadonlyMap<MessagePart, string>;

/** Tokens of a picture, about. */
const IMAGE_TOKENS = 1_000;
/** Tokens of a PDF by the length of its base64, about: a page has some thousand of either. */
export const documentTokens = (chars: number): number => Math.max(2_000, Math.ceil(chars / 10));
/** Shorter results stay: what would stand in their place is hardly shorter. */
const MIN_CLEARED_CHARS = 400;

export const tokensOfMessages = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, { parts }) => sum + parts.reduce((all, part) => all + tokensOfPart(part), 0), 0);

function tokensOfPart(part: MessagePart): number {
  switch (part.type) {
    case 'text':
      return tokensOf(part.text);
    case 'image':
      return IMAGE_TOKENS;
    case 'document':
      return documentTokens(part.data.length);
    case 'tool_call':
      return tokensOf(part.name) + tokensOf(JSON.stringify(part.input));
    case 'tool_result':
      return tokensOf(outputText(part.output));
  }
}

/**
 * Where the newest `turns` turns begin: the place of the message of the model that opens them. The
 * end of the list where there are fewer.
 */
export function tailStart(messages: readonly ModelMessage[], from: number, turns: number): number {
  const starts = messages.flatMap(({ role }, at) => (role === 'assistant' && at >= from ? [at] : []));
  return starts.at(-turns) ?? (starts.length === 0 ? messages.length : (starts[0] ?? messages.length));
}

/**
 * The same conversation with the results before `end` replaced by the call that gives them back.
 * Results of agents, which no call gives back, stay.
 */
export const withoutResults = (messages: readonly ModelMessage[], refs: Refs, end: number): readonly ModelMessage[] =>
  messages.map((message, at) =>
    at >= end || message.role !== 'tool'
      ? message
      : { ...message, parts: message.parts.map((part) => cleared(part, refs)) },
  );

function cleared(part: MessagePart, refs: Refs): MessagePart {
  const ref = refs.get(part);
  if (part.type !== 'tool_result' || ref === undefined) return part;
  const text = outputText(part.output);
  if (text.length < MIN_CLEARED_CHARS) return part;
  return { ...part, output: resultLeftOut({ tool: RETRIEVE, ref }, text.length) };
}

const ROLES = { system: 'system', user: 'user', assistant: 'agent', tool: 'tool' } as const;

/**
 * A conversation as a text for who summarises it. Each part has the same room, so that no long one
 * takes that of the others; `maxChars` bounds the whole.
 */
export function transcript(messages: readonly ModelMessage[], maxChars: number): string {
  const parts = messages.flatMap(({ role, parts: of }) => of.map((part) => ({ role, text: textOf(part) })));
  let each = MOST_EACH;
  const length = (): number => parts.reduce((sum, { text }) => sum + Math.min(text.length, each) + OVERHEAD, 0);
  while (each > LEAST_EACH && length() > maxChars) each = Math.floor(each / 2);
  const lines = parts.map(({ role, text }) => `${ROLES[role]}: ${shortened(text, each)}`);
  // The oldest go first where even that is too much.
  while (lines.length > 1 && lines.reduce((sum, line) => sum + line.length + 1, 0) > maxChars) lines.shift();
  return lines.join('\n');
}

const [MOST_EACH, LEAST_EACH, OVERHEAD] = [8_000, 200, 10];

const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most / 2).toWellFormed()} ... ${text.slice(-most / 2).toWellFormed()}`;

function textOf(part: MessagePart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
      return '(a picture)';
    case 'document':
      return `(the PDF ${part.name})`;
    case 'tool_call':
      return `calls ${part.name} ${JSON.stringify(part.input)}`;
    case 'tool_result':
      return `${part.name} answered: ${outputText(part.output)}`;
  }
}
