import type { NodeProblem } from './node-to-json.js';

/**
 * What makes a text no JSON, or null. YAML accepts more than JSON does (comments, bare words): a
 * `.json` file that only a YAML parser can read would surprise every other tool. The engine names a
 * position in most of its messages.
 */
export function jsonProblem(text: string): NodeProblem | null {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ' '));
    return null;
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    const start = position === undefined ? text.length : Number(position);
    return {
      start,
      end: Math.min(start + 1, text.length),
      message: 'the text is not valid JSON here',
      help: 'name the file .yaml to write comments or unquoted text',
    };
  }
}
