import { sha256Hex } from '../lib/sha256.js';

/**
 * A quotation in a prompt, between two lines that carry a digest of what lies between them: text of
 * a model or of a person cannot contain the line that ends it, so it cannot pass for the words of
 * somebody else.
 */
export function fenced(name: string, text: string): string {
  const mark = sha256Hex(`${name}\n${text}`).slice(0, 16);
  return `--- ${name} ${mark} begins ---\n${text}\n--- ${name} ${mark} ends ---`;
}
