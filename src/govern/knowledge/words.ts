import { memoryWords } from '../../lib/memory-words.js';

/**
 * Raised when passages or words of a document come out differently: documents are indexed anew
 * then.
 */
export const INDEX_FORMAT = 1;
/** Different words of a question that are looked for. */
export const MAX_QUESTION_WORDS = 48;
/** A word shorter than this has no ending to lose. */
const SHORT = 5;

/**
 * What a passage is found by and a question asks for: the words without their commonest English
 * endings, so that `refunds` finds `refund`.
 */
export const knowledgeWords = (text: string, limit = Number.POSITIVE_INFINITY): readonly string[] => [
  ...new Set(memoryWords(text, limit).map(withoutEnding)),
];

/**
 * The same for passages and questions, so a word of another language that loses a letter still
 * finds itself.
 */
function withoutEnding(word: string): string {
  if (word.length < SHORT) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.endsWith('ing') && word.length > SHORT) return withoutLastE(word.slice(0, -3));
  if (word.endsWith('ed')) return withoutLastE(word.slice(0, -2));
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith('s') && !word.endsWith('ss') && !word.endsWith('us')) return withoutLastE(word.slice(0, -1));
  return withoutLastE(word);
}

/** `approve`, `approved` and `approving` are one word. */
const withoutLastE = (word: string): string => (word.length >= SHORT && word.endsWith('e') ? word.slice(0, -1) : word);
