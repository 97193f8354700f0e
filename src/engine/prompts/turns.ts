import { NO_JSON } from '../answer-check.js';
import type { AnswerCheck } from '../model-call.js';
import type { SchemaError } from '../services.js';

/** Said when the turns of a tool loop are spent (KIT_MAX_TOOL_TURNS). */
export const CALLS_SPENT =
  'You have used all tool calls of this task. Do not call tools. Answer now from the results above; list what remains unverified.';

/** Said of an answer without any text. */
export const EMPTY_ANSWER = 'Your answer was empty. Answer the task, or call a tool.';

const FINAL =
  'Now give the final answer in the required format, from what you found above. Use null or an empty list for what is unknown; do not invent values.';

/** Said of a text that is no answer yet where one in a format is expected. */
export function nowAnswer(check: AnswerCheck | null): string {
  const isTry = check !== null && !check.valid && !isWithoutValue(check.errors);
  return isTry ? `${correctionOf(check.errors)}\n\n${FINAL}` : FINAL;
}

/** Said of an answer that does not fit its schema. */
export function correctionOf(errors: readonly SchemaError[]): string {
  if (isWithoutValue(errors))
    return 'Your last message contained no JSON value. Give the whole answer in the required format.';
  const list = errors.map(({ pointer, message }) => `- ${pointer || '/'}: ${message}`).join('\n');
  return `The answer does not fit the schema. Correct only these places and give the whole value again:\n${list}`;
}

const isWithoutValue = (errors: readonly SchemaError[]): boolean => errors.every(({ message }) => message === NO_JSON);

/** Said to a judge whose answer holds none of the three verdicts. */
export const NO_VERDICT =
  'Your last message contained no verdict. Answer with one JSON object whose "verdict" is "pass", "fail" or "needs-revision".';

/** The end of the system prompt of an agent that works for another one. */
export const FOR_ANOTHER =
  'Your final message is your result, and all that whoever gave you the task sees: make it complete, ask nothing back, and say what you could not find out.';
