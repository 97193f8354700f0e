import type { HeldCall, PromptBounds } from '../../src/domain/ports/prompts.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import { MAX_PROMPT_CHARS, NewestTexts } from '../../src/domain/texts-so-far.js';

type Facts = Omit<HeldCall, 'conversation' | 'messages' | 'chars'>;

const factsOf = (n: number, over: Partial<Facts>): Facts => ({
  jobId: 'job',
  stepKey: `root/t${n}`,
  agentId: 'root',
  skillId: null,
  purpose: 'turn',
  provider: 'mock',
  model: 'm1',
  tries: 1,
  askedAt: '2026-01-02T03:04:05.000Z',
  durationMs: 5,
  settings: '{"tools":[]}',
  answer: '{"parts":[]}',
  ...over,
});

/** A conversation whose calls are made one after another: each says a little more than the last. */
export function conversation(name: string): (n: number, said: readonly string[], over?: Partial<Facts>) => HeldCall {
  const held = { name };
  const texts = new NewestTexts(MAX_PROMPT_CHARS, { count: 0, textAt: () => '' });
  return (n, said, over = {}) => {
    for (const text of said) texts.add(JSON.stringify(text));
    return { ...factsOf(n, over), conversation: held, messages: texts.soFar(), chars: said.join('').length };
  };
}

/** A call of a conversation of its own that says nothing but its number. */
export const callOf = (n: number, over: Partial<Facts> = {}): HeldCall =>
  conversation(`c${n}`)(n, [`${n} \u0000 \u0010 \ud800 'quoted'`], over);

/** The same as it is read. */
export const promptOf = (n: number, over: Partial<Facts> = {}) => {
  const { settings: _, ...facts } = factsOf(n, over);
  return { ...facts, prompt: JSON.stringify({ messages: [`${n} \u0000 \u0010 \ud800 'quoted'`], tools: [] }) };
};

/** Hands in calls, and writes them. */
export async function keepCalls(
  { prompts }: Pick<Stores, 'prompts'>,
  calls: readonly HeldCall[],
  bounds: PromptBounds,
): Promise<void> {
  const keeper = await prompts.keeper(bounds);
  for (const call of calls) keeper.hold(call);
  await keeper.flush();
}
