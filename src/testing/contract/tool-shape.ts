import { isObject } from '../../lib/json.js';
import { isTextOrNull, survivesJson } from './executor-result.js';

const isHint = (value: unknown): boolean => value === null || typeof value === 'boolean';

/** What is wrong with a tool, in words; null = nothing. */
export function toolProblem(tool: unknown): string | null {
  if (!isObject(tool)) return 'a tool that is not an object';
  if (typeof tool.name !== 'string' || tool.name === '') return 'a tool without a name';
  if (typeof tool.description !== 'string') return `the tool ${tool.name}, whose description is not text`;
  if (!isObject(tool.inputSchema)) return `the tool ${tool.name}, whose inputSchema is not a schema`;
  if (tool.outputSchema !== null && !isObject(tool.outputSchema))
    return `the tool ${tool.name}, whose outputSchema is neither null nor a schema`;
  const { hints } = tool;
  if (!isObject(hints) || !['readOnly', 'destructive', 'idempotent'].every((name) => isHint(hints[name])))
    return `the tool ${tool.name} without its hints`;
  return survivesJson(tool) ? null : `the tool ${tool.name}, which JSON does not hold`;
}

function partProblem(part: unknown): string | null {
  if (!isObject(part)) return 'a part that is not an object';
  switch (part.type) {
    case 'text':
      return typeof part.text === 'string' ? null : 'a text without a text';
    case 'image':
      return typeof part.mediaType === 'string' && typeof part.data === 'string'
        ? null
        : 'an image without media type or data';
    case 'document':
      return part.mediaType === 'application/pdf' && typeof part.name === 'string' && typeof part.data === 'string'
        ? null
        : 'a document without name or data, or of another type than application/pdf';
    case 'other':
      return typeof part.kind === 'string' && isTextOrNull(part.uri) && isTextOrNull(part.text)
        ? null
        : 'another part without kind, uri or text';
    default:
      return `a part of the unknown type ${JSON.stringify(part.type)}`;
  }
}

/** What is wrong with an answer, in words; null = nothing. */
export function answerProblem(answer: unknown): string | null {
  if (!isObject(answer)) return 'no answer';
  if (!Array.isArray(answer.parts)) return 'an answer without parts';
  if (typeof answer.isError !== 'boolean') return 'an answer that does not say whether it is an error';
  if (!survivesJson(answer.structured)) return 'a structured answer that JSON does not hold';
  return answer.parts.map(partProblem).find((problem) => problem !== null) ?? null;
}
