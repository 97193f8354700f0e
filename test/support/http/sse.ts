/** One frame of a stream of server-sent events; comments count as frames without data. */
export interface Frame {
  readonly id: string | null;
  readonly data: string | null;
  readonly comment: string | null;
  readonly retry: string | null;
}

function frameOf(text: string): Frame {
  const field = (name: string): string | null => {
    const lines = text.split('\n').filter((line) => line.startsWith(`${name}: `));
    return lines.length === 0 ? null : lines.map((line) => line.slice(name.length + 2)).join('\n');
  };
  return {
    id: field('id'),
    data: field('data'),
    retry: field('retry'),
    comment: text.startsWith(': ') ? text.slice(2) : null,
  };
}

export const framesOf = (text: string): readonly Frame[] =>
  text
    .split('\n\n')
    .filter((part) => part !== '')
    .map(frameOf);

/** Reads a stream until its end, or until `until` says so. */
export async function readStream(
  url: string,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    readonly until?: (frames: readonly Frame[]) => boolean;
  },
): Promise<{
  readonly status: number;
  readonly headers: Headers;
  readonly frames: readonly Frame[];
  readonly hasEnded: boolean;
}> {
  const abort = new AbortController();
  const answer = await fetch(url, { headers: options.headers, signal: abort.signal });
  let text = '';
  let hasEnded = true;
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const whole = text.slice(0, text.lastIndexOf('\n\n') + 2);
    if (options.until?.(framesOf(whole)) === true) {
      hasEnded = false;
      break;
    }
  }
  abort.abort();
  return { status: answer.status, headers: answer.headers, frames: framesOf(text), hasEnded };
}
