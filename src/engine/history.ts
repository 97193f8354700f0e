import type { ModelMessage } from '../domain/ports/model.js';
import type { RunSnapshot } from '../domain/snapshot.js';
import { earlierTasks, requestInConversation, yourAnswer } from '../prompts/turns.js';
import { type Activation, type Exchange, taskText, textTask } from './activation-call.js';
import { outputText } from './results.js';

/** Characters of an older question and answer (docs/design/execution.md#history). */
const OLD_TASK_CHARS = 80;
const OLD_ANSWER_CHARS = 120;

/**
 * Earlier exchanges as an agent sees them: the last `wholeTurns` (KIT_HISTORY_TURNS) as they were,
 * older ones as a line each. An agent that is asked a second time in a run knows what it said the
 * first time.
 */
export function historyMessages(history: readonly Exchange[], wholeTurns: number): readonly ModelMessage[] {
  const split = Math.max(0, history.length - wholeTurns);
  const older = history.slice(0, split);
  const recent = history.slice(split);
  const lines = older.map(lineOf);
  const summary: readonly ModelMessage[] =
    lines.length === 0 ? [] : [{ role: 'user', parts: textTask(earlierTasks(lines)) }];
  return [
    ...summary,
    ...recent.flatMap(({ task, answer }): readonly ModelMessage[] => [
      { role: 'user', parts: textTask(task) },
      { role: 'assistant', parts: textTask(outputText(answer)) },
    ]),
  ];
}

/** The same for an executor that takes one statement; '' when there is nothing to tell. */
export function historyText(history: readonly Exchange[], wholeTurns: number): string {
  const messages = historyMessages(history, wholeTurns).map((message) => {
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
