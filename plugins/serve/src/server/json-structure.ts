const [QUOTE, BACKSLASH, COMMA, BRACE, BRACKET] = [0x22, 0x5c, 0x2c, 0x7b, 0x5b];

/**
 * Where the string that begins at `from` (after its quote) ends: the place after its closing quote,
 * or the end of the text.
 */
function afterString(text: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const quote = text.indexOf(QUOTE, at);
    if (quote < 0) return text.length;
    let slashes = 0;
    while (text[quote - 1 - slashes] === BACKSLASH) slashes += 1;
    at = quote + 1;
    if (slashes % 2 === 0) return at;
  }
}

/**
 * Whether JSON text holds more values than so many, told before it is parsed: a body of brackets
 * alone becomes a hundred times its size in memory, while the text of an attachment costs what it
 * is long. Strings are skipped at the speed of a search.
 */
export function holdsMoreValues(text: Buffer, max: number): boolean {
  let values = 0;
  for (let at = 0; at < text.length && values <= max; ) {
    const byte = text[at];
    at += 1;
    if (byte === QUOTE) at = afterString(text, at);
    else if (byte === COMMA || byte === BRACE || byte === BRACKET) values += 1;
  }
  return values > max;
}
