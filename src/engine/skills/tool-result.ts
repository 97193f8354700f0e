import type { Json } from '../../domain/json.js';
import type { LinkedSkill } from '../../domain/linked-skill.js';
import type { DocumentPart } from '../../domain/ports/model.js';
import type { ToolAnswer, ToolPart } from '../../domain/ports/tools.js';
import { isReportedUsd } from '../../domain/reported-numbers.js';
import { isDeeper, MAX_DEPTH } from '../../lib/is-deeper.js';
import { besideTexts, NOTHING } from '../../prompts/shortened.js';
import { failedEnd } from '../step-ends.js';
import type { StepEnd } from '../step-types.js';

/** A picture or a document that a tool answered; bytes are base64. */
export type ToolImage = { readonly type: 'image'; readonly mediaType: string; readonly data: string } | DocumentPart;

/**
 * What a step of a tool records: the answer, the pictures and documents beside it, and where a
 * compressor took it, the text that the conversation holds instead.
 */
export type ToolValue = { readonly output: Json; readonly images?: readonly ToolImage[]; readonly shown?: string };

/**
 * An answer of a tool as a result: its texts, one below the other; the structured value where there
 * is not text, and always where the skill declares `outputs`, which are a value. What says that it
 * failed is a failed call, with its text as the message (docs/design/execution.md#tool-calls).
 */
export function toolEnd(skill: LinkedSkill, answer: ToolAnswer): StepEnd<ToolValue> {
  const { costUsd: reportedUsd } = answer;
  const costUsd = isReportedUsd(reportedUsd) ? reportedUsd : null;
  return { ...endOf(skill, answer), ...(reportedUsd === undefined ? {} : { usage: { ...NO_TOKENS, costUsd } }) };
}

const NO_TOKENS = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };

function endOf(skill: LinkedSkill, answer: ToolAnswer): StepEnd<ToolValue> {
  const images = answer.parts.flatMap((part) => (part.type === 'image' || part.type === 'document' ? [part] : []));
  const text = answer.parts
    .flatMap(textOf)
    .filter((piece) => piece !== '')
    .join('\n');
  if (answer.isError) {
    const message =
      text !== ''
        ? text
        : answer.structured === null
          ? 'the tool failed and said nothing'
          : JSON.stringify(answer.structured);
    return failedEnd('tool_error', message);
  }
  if (isDeeper(answer.structured)) return tooDeep();
  const isValue = answer.structured !== null && (text === '' || skill.outputs !== null);
  const output = isValue
    ? answer.structured
    : text !== ''
      ? text
      : images.length > 0
        ? besideTexts(images.map(({ type }) => type))
        : NOTHING;
  return { outcome: { status: 'ok', value: { output, ...(images.length === 0 ? {} : { images }) } } };
}

/** Every reader of a result walks through it: one that is nested without end is none. */
export const tooDeep = (): StepEnd<never> =>
  failedEnd('malformed_output', `the result is nested more than ${MAX_DEPTH} levels deep`);

/** What is neither text nor a picture is named, so that the model knows of it. */
function textOf(part: ToolPart): readonly string[] {
  switch (part.type) {
    case 'text':
      return [part.text];
    case 'image':
    case 'document':
      return [];
    case 'other':
      return [part.text ?? `[${part.kind}${part.uri === null ? '' : ` ${part.uri}`}]`];
  }
}
