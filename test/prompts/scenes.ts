import type { MessagePart, ModelResult } from '../../src/domain/ports/model.js';
import { agent, call, commandSkill } from '../support/run-world.js';
import type { Situation } from './situation.js';

export const CHOICE = { provider: 'fake', model: 'fake-1', toolProvider: 'fake', toolModel: 'fake-1' };
export const TASK = 'the task';
/** What a person said before, and was answered. */
export const TALK = [{ message: 'What is a market?', answer: 'A place where people trade.' }];
export const write = agent('writer', { description: 'Writes for people who have five minutes.' });
export const look = agent('looker', { description: 'Knows the markets of Europe.' });
export const lead = agent('lead', { role: 'root', children: [look, write] });
export const alone = agent('alone', { role: 'root' });
export const fetch = commandSkill('fetch', ['echo', 'seven'], { description: 'Fetches a page.', effects: 'read' });
export const long = commandSkill('fetch', ['seq', '1', '9000'], { description: 'Fetches a page.', effects: 'read' });
export const broken = commandSkill('fetch', ['false'], { description: 'Fetches a page.', effects: 'read' });
export const store = commandSkill('store', ['echo', 'ok'], { description: 'Stores a text.' });
export const holds = (...skills: readonly string[]) => agent('alone', { role: 'root', skills: [...skills] });
export const SCHEMA = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } };

export const input = { input: 'x' };
export const ask = (id: string, task: string, callId?: string): MessagePart =>
  call(`delegate_to_${id}`, { task }, callId);
export const ended = (finish: 'length', parts: readonly MessagePart[]): ModelResult => ({
  ok: true,
  response: {
    ...{ parts, finish, model: 'fake-1' },
    usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, reasoningTokens: 0, costUsd: 0 },
  },
});

export const of = (name: string, skill: string, rest: Omit<Situation, 'name' | 'of'>): Situation => ({
  name,
  of: skill,
  ...rest,
});
/** An agent alone with what it holds. */
export const withSkills = (
  name: string,
  skills: readonly string[],
  rest: { readonly answers: Situation['answers'][string]; readonly env?: Situation['world']['env'] } & Partial<
    Situation['world']
  >,
): Situation => {
  const { answers, ...world } = rest;
  return of(name, 'alone', {
    world: { root: holds(...skills), skills: [fetch, store], ...world },
    answers: { alone: answers },
  });
};
