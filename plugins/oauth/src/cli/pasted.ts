import { createInterface } from 'node:readline/promises';
import { KitError } from '@kit-run/kit/plugin';

const MAX_CHARS = 10_000;

/** The first line of a pipe or a file; '' = there is none. */
export async function readPasted(stdin: NodeJS.ReadableStream): Promise<string> {
  const lines = createInterface({ input: stdin });
  try {
    for await (const line of lines) return line.trim();
    return '';
  } finally {
    lines.close();
  }
}

/**
 * The query of a pasted address, or of a query alone. Throws KIT_LOGIN_STATE for one that answers
 * another login: that one is not used up by it.
 */
export function pastedQuery(text: string, state: string): string {
  const pasted = text.slice(0, MAX_CHARS);
  const query = URL.parse(pasted)?.search.slice(1) ?? pasted.replace(/^\?/, '');
  if (new URLSearchParams(query).get('state') === state) return query;
  throw new KitError('KIT_LOGIN_STATE', 'the pasted text is not the address at which this login ended');
}
