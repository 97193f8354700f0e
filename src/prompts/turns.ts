import { issueText } from '../lib/json-pointer.js';
import { fenced } from './fenced.js';

/** A place of an answer that does not fit its schema, and why. */
interface Fault {
  readonly pointer: string;
  readonly message: string;
}

/** The one fault of a text that is not a try at a format. */
export const NO_JSON = 'the answer holds no JSON value';

/** Said when the turns of a tool loop are spent (KIT_MAX_TOOL_TURNS). */
export const CALLS_SPENT =
  'You have used all tool calls of this task. Do not call tools. Answer now from the results above; list what remains unverified.';

/** Answers each call that comes after them. */
export const NO_MORE_CALLS = 'the tool calls of this task are used up; answer the task';

/** Said of an answer without any text. */
export const EMPTY_ANSWER = 'Your answer was empty. Answer the task, or call a tool.';

/** Said to a model whose answer ended at the output limit. */
export const GO_ON =
  'Your answer was cut off at the output limit. Go on exactly where it stopped: repeat nothing, and do not mention the cut.';

const FINAL =
  'Now give the final answer in the required format, from what you found above. Use null or an empty list for what is unknown; do not invent values.';

/** Said of a text that is not an answer yet where a format is expected; null = it was not tried. */
export function nowAnswer(faults: readonly Fault[] | null): string {
  const isTry = faults !== null && !isWithoutValue(faults);
  return isTry ? `${correctionOf(faults)}\n\n${FINAL}` : FINAL;
}

/** Said of an answer that does not fit its schema. */
export function correctionOf(faults: readonly Fault[]): string {
  if (isWithoutValue(faults))
    return 'Your last message contained no JSON value. Give the whole answer in the required format.';
  const list = faults.map((fault) => `- ${issueText(fault)}`).join('\n');
  return `The answer does not fit the schema. Correct only these places and give the whole value again:\n${list}`;
}

const isWithoutValue = (faults: readonly Fault[]): boolean => faults.every(({ message }) => message === NO_JSON);

/** The end of the system prompt of an agent that works for another one. */
export const FOR_ANOTHER =
  'Whoever gave you the task sees only your final message: it is your result. Make it complete, ask nothing back, and say what you could not find out. Write it in the language of the task unless you are told another one.';

/** Said of an answer that decisions sent back; its conversation goes on. */
export const sentBack = (findings: string): string =>
  `Your answer was not accepted. What was found in it:\n${fenced('findings', findings)}\n\nGive the whole answer again, without these faults.`;

/** Opens the pictures and documents that a tool answered; only user messages hold some. */
export const filesOf = (tool: string, types: readonly ('image' | 'document')[]): string => {
  const [hasImages, hasDocuments] = [types.includes('image'), types.includes('document')];
  const what = hasImages && hasDocuments ? 'Images and documents' : hasDocuments ? 'Documents' : 'Images';
  return `${what} that ${tool} answered:`;
};

/** Earlier tasks of the same agent in a run, a line each, without the `leftOut` oldest. */
export const earlierTasks = (lines: readonly string[], leftOut: number): string =>
  `Earlier tasks and your answers${leftOut === 0 ? '' : ` (the first ${leftOut} are left out)`}:\n- ${lines.join('\n- ')}`;

/** An earlier answer, where a conversation is one text. */
export const yourAnswer = (answer: string): string => `Your answer: ${answer}`;

/** Added to a task whose answer led away from it. */
export const REFOCUS =
  'You did this task before, and the answer led away from what was asked. Read the task above again, do exactly what it asks, and give the whole answer anew.';

/** A message of a person and what it was answered. */
interface Turn {
  readonly message: string;
  readonly answer: string;
}

/**
 * A request with the turns of a conversation before it, for who reads it as one text. Each turn is
 * a JSON value on a line of its own, so that no message can pass for an answer.
 */
export const requestInConversation = (turns: readonly Turn[], request: string): string =>
  `What was said before, oldest first, a JSON value for each turn:\n${fenced(
    'conversation',
    turns.map(({ message, answer }) => JSON.stringify({ message, answer })).join('\n'),
  )}\n\nThe request now:\n${request}`;

/** Stands where a text of an earlier turn was cut off. */
export const turnCutOff = (length: number): string => ` ... (${length} characters in all, the rest is left out)`;
