import type { ModelMessage } from '../domain/ports/model.js';
import { numberOf, type RunSnapshot, ruleSetOf } from '../domain/snapshot.js';
import { earlierTasks, requestInConversation, yourAnswer } from '../prompts/turns.js';
import { type Activation, type Exchange, type History, taskText, textTask } from './activation-call.js';
import { outputText } from './results.js';

/** Characters of an older question and answer (docs/design/execution.md#history). */
const OLD_TASK_CHARS = 80;
const OLD_ANSWER_CHARS = 120;

/**
 * So many older exchanges at the most are told, and from there on that many go at once: the lines
 * begin alike from one task to the next, which a provider need not read anew.
 */
const [MOST_LINES, LINES_AT_ONCE] = [100, 50];

/** How many of the oldest are left out; a run of before rule set 7 is told of all. */
const leftOutOf = (snapshot: RunSnapshot, older: number): number =>
  older <= MOST_LINES || ruleSetOf(snapshot) < 7 ? 0 : Math.ceil((older - MOST_LINES) / LINES_AT_ONCE) * LINES_AT_ONCE;

/**
 * Earlier exchanges as an agent sees them: the last KIT_HISTORY_TURNS as they were, older ones as a
 * line each, the oldest of very many not at all. An agent that is asked a second time in a run
 * knows what it said the first time.
 */
export function historyMessages(snapshot: RunSnapshot, { exchanges, count }: History): readonly ModelMessage[] {
  const split = Math.max(0, count - numberOf(snapshot, 'KIT_HISTORY_TURNS'));
  const leftOut = leftOutOf(snapshot, split);
  const lines = exchanges.slice(leftOut, split).map(lineOf);
  const recent = exchanges.slice(split, count);
  const summary: readonly ModelMessage[] =
    lines.length === 0 ? [] : [{ role: 'user', parts: textTask(earlierTasks(lines, leftOut)) }];
  return [
    ...summary,
    ...recent.flatMap(({ task, answer }): readonly ModelMessage[] => [
      { role: 'user', parts: textTask(task) },
      { role: 'assistant', parts: textTask(outputText(answer)) },
    ]),
  ];
}

/** The same for an executor that takes one statement; '' when there is nothing to tell. */
export function historyText(snapshot: RunSnapshot, history: History): string {
  const messages = historyMessages(snapshot, history).map((message) => {
    const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
    return message.role === 'assistant' ? yourAnswer(text) : text;
  });
  return messages.length === 0 ? '' : `${messages.join('\n\n')}\n\n`;
}

/** Earlier turns of a conversation are told to the entry agent alone. */
const turnsBefore = ({ conversation = [] }: RunSnapshot, { parentKey }: Pick<Activation, 'parentKey'>) =>
  parentKey === null ? conversation : [];

/**
 * What was said before in the conversation that the run is a turn of, each turn whole: the same
 * messages in each of its runs, so that a provider knows the beginning.
 */
export const conversationMessages = (
  snapshot: RunSnapshot,
  activation: Pick<Activation, 'parentKey'>,
): readonly ModelMessage[] =>
  turnsBefore(snapshot, activation).flatMap(({ message, answer }): readonly ModelMessage[] => [
    { role: 'user', parts: textTask(message) },
    { role: 'assistant', parts: textTask(answer) },
  ]);

/**
 * What an agent was asked, in one text: for a judge of its work, or for who takes one statement.
 */
export function requestText(snapshot: RunSnapshot, activation: Activation): string {
  const task = taskText(activation.task);
  const turns = turnsBefore(snapshot, activation);
  return turns.length === 0 ? task : requestInConversation(turns, task);
}

/**
 * An older exchange is told again in every later turn: its line is made once, so that a turn after
 * a thousand others costs little more than the second one.
 */
const LINES = new WeakMap<Exchange, string>();

function lineOf(exchange: Exchange): string {
  const known = LINES.get(exchange);
  if (known !== undefined) return known;
  const line = `${cut(exchange.task, OLD_TASK_CHARS)} -> ${cut(outputText(exchange.answer), OLD_ANSWER_CHARS)}`;
  LINES.set(exchange, line);
  return line;
}

function cut(text: string, maxChars: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`;
}
