/** What a line of `kit chat` means. */
export type ChatLine =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'leave' }
  | { readonly kind: 'clear' }
  | { readonly kind: 'help' }
  | { readonly kind: 'unknown'; readonly word: string }
  | { readonly kind: 'nothing' };

const LEAVE = new Set(['exit', 'quit', 'bye', '/exit', '/quit']);

/**
 * A line that begins with a slash is a command, so that a misspelt one is never sent to a model.
 */
export function chatLine(line: string): ChatLine {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  if (LEAVE.has(text.toLowerCase())) return { kind: 'leave' };
  if (text === '/clear') return { kind: 'clear' };
  if (text === '/help') return { kind: 'help' };
  if (text.startsWith('/')) return { kind: 'unknown', word: text.split(/\s/, 1)[0] ?? text };
  return { kind: 'message', text };
}

export const CHAT_HELP =
  '/clear begins a new conversation, /exit leaves (also exit, quit, bye, Ctrl-D); Ctrl-C stops the answer.';
