import type { StepOutcome } from '../../domain/journal.js';
import type { ModelMessage } from '../../domain/ports/model.js';
import { ruleSetOf } from '../../domain/snapshot.js';
import { mapTexts } from '../../lib/map-texts.js';
import { middleGone } from '../../prompts/shortened.js';
import type { ModelCall, ModelValue } from '../model-ask.js';
import { callModel } from '../model-call.js';
import type { RunServices } from '../services.js';

/** How often a question is put again, each time with half of what it had. */
const MOST_TRIES = 3;

/** A question that is not a conversation: of a prompt skill, or to a judge. */
export interface Question {
  readonly call: Omit<ModelCall, 'messages'>;
  /** The question where its texts may have this part of their characters; 1 = as they are. */
  readonly opening: (part: number) => readonly ModelMessage[];
  /** Answers and corrections that came after it. */
  readonly said: readonly ModelMessage[];
  /** With which part of its texts it is put first: that of the answer before, or 1. */
  readonly part: number;
}

export interface Fitted {
  readonly outcome: StepOutcome<ModelValue>;
  /** What the texts of the question had when it was answered, or refused at last. */
  readonly part: number;
}

/**
 * Asks a question; one that its provider refuses as too long loses the middle of its longest texts
 * and is put again, as `<key>/again`, `<key>/again2`, ... (docs/design/execution.md#context).
 */
export async function askFitting(services: RunServices, { call, opening, said, part }: Question): Promise<Fitted> {
  for (let tried = 0; ; tried += 1) {
    const of = part / 2 ** tried;
    const key = tried === 0 ? call.key : `${call.key}/again${tried === 1 ? '' : tried}`;
    const outcome = await callModel(services, { ...call, key, messages: [...opening(of), ...said] });
    const isTooLong = outcome.status === 'failed' && outcome.reason === 'provider.context_overflow';
    if (!isTooLong || tried >= MOST_TRIES || ruleSetOf(services.snapshot) < 6) return { outcome, part: of };
  }
}

/**
 * The same value with no more than this part of the characters of its texts: the longest lose
 * them.
 */
export function withPart<T>(value: T, part: number): T {
  if (part >= 1) return value;
  const lengths: number[] = [];
  mapTexts(value, (text) => {
    lengths.push(text.length);
    return text;
  });
  const most = capOf(lengths, part);
  return mapTexts(value, (text) => {
    if (text.length <= most) return text;
    const half = Math.floor(most / 2);
    return `${text.slice(0, half).toWellFormed()}\n${middleGone(text.length)}\n${text.slice(text.length - half).toWellFormed()}`;
  });
}

/** To how many characters each is cut so that all have `part` of what they have. */
export function capOf(lengths: readonly number[], part: number): number {
  let room = part * lengths.reduce((sum, length) => sum + length, 0);
  const rising = lengths.toSorted((a, b) => a - b);
  for (const [at, length] of rising.entries()) {
    const each = room / (rising.length - at);
    if (length > each) return Math.floor(each);
    room -= length;
  }
  return rising.at(-1) ?? 0;
}
