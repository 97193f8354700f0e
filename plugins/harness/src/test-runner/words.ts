/**
 * Characters that only a shell understands; a line with one of them outside quotes is given to a
 * shell.
 */
const SHELL_ONLY = /[|&;<>()$`\\*?[\]#~{}\n]/;

/**
 * Splits a command line without shell syntax into its words; null when it needs a shell. Quotes
 * group, nothing else is special.
 */
export function splitWords(line: string): readonly string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (const char of line.trim()) {
    if (quote !== '') {
      if (char === quote) quote = '';
      else if (quote === '"' && /[$`\\]/.test(char)) return null;
      else word = (word ?? '') + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (SHELL_ONLY.test(char)) {
      return null;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (quote !== '') return null;
  return word === null ? words : [...words, word];
}

/**
 * The words of a command line's last `&&` part: where npm puts extra arguments. Globs may stay, the
 * shell expands them.
 */
export function lastPart(script: string): readonly string[] | null {
  const part = script.split('&&').at(-1) ?? '';
  if (/[|;<>()$`\\\n]|&/.test(part)) return null;
  return splitWords(part.replace(/[*?[\]#~{}]/g, '_'));
}
