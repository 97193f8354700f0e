import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type PromptRow, promptText, wholePrompts } from '../../../src/store/prompts/whole-prompts.js';

/** One is the end of another. */
const SETTINGS = [
  { tools: ['a'], options: { seed: 1 } },
  { options: { seed: 1 } },
  { tools: ['a'], options: {} },
] as const;
const settingsText = (place: number): string => JSON.stringify(SETTINGS[place]);

/** Messages that look like the end of a prompt, as text and as members. */
const aMessage = fc.oneof(
  fc.string().map((text) => ({ text })),
  fc.constantFrom(...SETTINGS).map((settings) => ({ text: `,${JSON.stringify(settings).slice(1)}` })),
  fc.constantFrom(...SETTINGS).map((settings) => ({ messages: [], ...settings })),
);
const aCall = fc.record({
  messages: fc.array(aMessage, { maxLength: 3 }),
  settings: fc.nat(SETTINGS.length - 1),
});

it('tells the whole prompt of each row, whatever its messages and settings are', () => {
  fc.assert(
    fc.property(fc.array(aCall, { minLength: 1, maxLength: 6 }), (calls) => {
      const said: object[] = [{ text: 'the first' }];
      const rows: PromptRow[] = [];
      const expected: object[] = [];
      for (const [ord, { messages, settings }] of calls.entries()) {
        const fresh = ord === 0 ? [...said, ...messages] : messages;
        const texts = fresh.map((message) => JSON.stringify(message));
        const prompt = promptText(texts, { settings: settingsText(settings), leftOut: 0 });
        rows.push({ ord, job_id: 'job', conversation: '1 1', follows: ord === 0 ? null : said.length, prompt });
        said.push(...messages);
        expected.push({ messages: [...said], ...SETTINGS[settings] });
      }

      const whole = [...wholePrompts(rows).values()].map((prompt) => JSON.parse(prompt));

      expect(whole).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
