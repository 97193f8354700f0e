const NUL = '\u0000';
const MARK = '\u0010';

/**
 * PostgreSQL's text cannot hold NUL, and what people and tools say may. NUL and the mark itself are
 * written as the mark and a letter, so that every string comes back as it went in. Text without
 * either, which is nearly all, is stored as it is.
 */
export function toStoredText(text: string): string {
  return text.includes(NUL) || text.includes(MARK)
    ? text.replaceAll(MARK, `${MARK}m`).replaceAll(NUL, `${MARK}0`)
    : text;
}

export function fromStoredText(text: string): string {
  return text.includes(MARK) ? text.replaceAll(`${MARK}0`, NUL).replaceAll(`${MARK}m`, MARK) : text;
}
