const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export interface SplitResult {
  readonly lines: readonly string[];
  /** A line grew beyond the limit; nothing after it is looked at. */
  readonly isTooLong: boolean;
}

export interface LineSplitter {
  push(chunk: Buffer): SplitResult;
  /** The last line when the stream ended without a newline; null when there is none. */
  end(): string | null;
}

/**
 * Cuts bytes into lines before it decodes them: a newline byte never lies inside a UTF-8 sequence,
 * so a sequence that was split over chunks is whole again when its line is decoded. Holds at most
 * `maxLineBytes` and one chunk.
 */
export function createLineSplitter(maxLineBytes: number): LineSplitter {
  let parts: Buffer[] = [];
  let heldBytes = 0;

  const take = (rest: Buffer): string => {
    const line = parts.length === 0 ? rest : Buffer.concat([...parts, rest]);
    parts = [];
    heldBytes = 0;
    return line.toString('utf8', 0, line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length);
  };

  const push = (chunk: Buffer): SplitResult => {
    const lines: string[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      if (heldBytes + at - from > maxLineBytes) return { lines, isTooLong: true };
      lines.push(take(chunk.subarray(from, at)));
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    if (heldBytes + rest.length > maxLineBytes) return { lines, isTooLong: true };
    if (rest.length > 0) parts.push(rest);
    heldBytes += rest.length;
    return { lines, isTooLong: false };
  };

  return { push, end: () => (heldBytes === 0 ? null : take(Buffer.alloc(0))) };
}
