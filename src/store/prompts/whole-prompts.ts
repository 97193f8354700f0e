import { keptTexts, leftOut, MAX_PROMPT_CHARS, NewestTexts, type TextsSoFar } from '../../domain/texts-so-far.js';

/** What a row says of its conversation. */
export interface PromptRow {
  readonly ord: number;
  readonly job_id: string;
  /** Null: the row is of a version that wrote each prompt whole. */
  readonly conversation: string | null;
  /** Messages that the rows before it hold; null: this one has its whole prompt. */
  readonly follows: number | null;
  readonly prompt: string;
}

/** JSON text of what was asked; `settings` is that of an object with members. */
export function promptText(
  messages: readonly string[],
  { settings, leftOut }: { readonly settings: string; readonly leftOut: number },
): string {
  const gone = leftOut === 0 ? '' : `"messages_left_out":${leftOut},`;
  return `{"messages":[${messages.join(',')}],${gone}${settings.slice(1)}`;
}

export const wholePrompt = (messages: TextsSoFar, settings: string): string =>
  promptText(keptTexts(messages), { settings, leftOut: leftOut(messages) });

/**
 * The whole prompt of each row, by `ord`, from the rows of its conversation up to it; `rows` are in
 * the order of `ord`. What is missing before a row counts as left out.
 */
export function wholePrompts(rows: readonly PromptRow[]): ReadonlyMap<number, string> {
  const conversations = new Map<string, Conversation>();
  const prompts = new Map<number, string>();
  for (const row of rows) prompts.set(row.ord, row.conversation === null ? row.prompt : promptOf(row, conversations));
  return prompts;
}

/** What the rows of a conversation held so far, and the settings of the last of them. */
interface Conversation {
  readonly texts: NewestTexts;
  readonly settings: string;
}

function promptOf(row: PromptRow, conversations: Map<string, Conversation>): string {
  const key = `${row.job_id} ${row.conversation}`;
  const known = conversations.get(key);
  const { messages, gone, settings } = parsed(row.prompt, known?.settings);
  if (row.follows !== null && known?.texts.count === row.follows) {
    for (const text of messages) known.texts.add(text);
    conversations.set(key, { texts: known.texts, settings });
    return wholePrompt(known.texts.soFar(), settings);
  }
  const leftOut = row.follows ?? gone;
  if (messages.length === 0) return promptText([], { settings, leftOut });
  const texts = new NewestTexts(MAX_PROMPT_CHARS, {
    count: leftOut + messages.length,
    from: leftOut + 1,
    textAt: (place) => messages[place === 0 ? 0 : place - leftOut] ?? '',
  });
  conversations.set(key, { texts, settings });
  return wholePrompt(texts.soFar(), settings);
}

/**
 * Most rows have the settings of the row before, and those may be long beside what is new: they are
 * not read again. Where there is more before them than messages, they are but the last of others.
 */
function parsed(prompt: string, before: string | undefined): Parsed {
  if (before === undefined || before === NO_SETTINGS) return parsedWhole(prompt);
  const end = `,${before.slice(1)}`;
  if (!prompt.endsWith(end)) return parsedWhole(prompt);
  const said = parsedWhole(`${prompt.slice(0, -end.length)}}`);
  return said.settings === NO_SETTINGS ? { ...said, settings: before } : parsedWhole(prompt);
}

const NO_SETTINGS = '{}';

interface Parsed {
  readonly messages: readonly string[];
  readonly gone: number;
  readonly settings: string;
}

function parsedWhole(prompt: string): Parsed {
  // Written by `promptText` alone.
  const { messages, messages_left_out, ...settings } = JSON.parse(prompt) as {
    readonly messages: readonly object[];
    readonly messages_left_out?: number;
  };
  return {
    messages: messages.map((message) => JSON.stringify(message)),
    gone: messages_left_out ?? 0,
    settings: JSON.stringify(settings),
  };
}
