import type { Tone } from '../../view/lines/tone.js';

export type Paint = (tone: Tone, text: string) => string;

const CODES: Readonly<Record<Exclude<Tone, 'plain'>, readonly [number, number]>> = {
  good: [32, 39],
  bad: [31, 39],
  warn: [33, 39],
  dim: [2, 22],
  strong: [1, 22],
};

export function createPaint(color: boolean): Paint {
  return (tone, text) => {
    if (!color || tone === 'plain' || text === '') return text;
    const [on, off] = CODES[tone];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}
