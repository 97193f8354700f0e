import type { KeptPrompt } from '../../src/domain/ports/prompts.js';

/** A call of a model that says nothing but its number. */
export const promptOf = (n: number, over: Partial<KeptPrompt> = {}): KeptPrompt => ({
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
  prompt: JSON.stringify({ messages: [`${n} \u0000 \ud800 'quoted'`] }),
  answer: '{"parts":[]}',
  ...over,
});
