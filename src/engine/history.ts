import type { ModelMessage } from '../domain/ports/model.js';
import { earlierTasks, yourAnswer } from '../prompts/turns.js';
import { type Exchange, textTask } from './activation-call.js';
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
  const lines = older.map(
    ({ task, answer }) => `${cut(task, OLD_TASK_CHARS)} -> ${cut(outputText(answer), OLD_ANSWER_CHARS)}`,
  );
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

function cut(text: string, maxChars: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1)}…`;
}
