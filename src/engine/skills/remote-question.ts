import { NO_ANSWER, questionOf } from '../../prompts/remote.js';
import { textTask } from '../activation-call.js';
import { askPeople } from '../ask-people.js';
import { askPrompt } from '../context/ask-prompt.js';
import { textOf } from '../model-ends.js';
import { isParked, type Parked } from '../park.js';
import type { RunServices } from '../services.js';
import { inputOf } from './child-run.js';
import type { SkillCall } from './skill-call.js';

/** A question of an agent that runs elsewhere, to which people there have no address. */
export interface RemoteQuestion {
  readonly call: SkillCall;
  /** How the agent calls itself: a stranger's word. */
  readonly agent: string;
  /** Its question; bounded. */
  readonly question: string;
  /** Which question of this call it is, from 1. */
  readonly n: number;
}

/** What is answered; null = nobody here answers it. */
export interface RemoteAnswer {
  readonly answer: string | null;
  /** Why nobody does. */
  readonly why: string;
}

/** A person answers, as an item of kind `input`: the run waits until they have. */
export async function relayQuestion(services: RunServices, of: RemoteQuestion): Promise<RemoteAnswer | Parked> {
  const { call, agent, question, n } = of;
  const said = await askPeople(services, {
    key: `${call.key}/ask${n}`,
    kind: 'input',
    agentId: call.activation.node.id,
    skillId: call.skill.id,
    reason: `the agent ${agent}, which runs elsewhere, asks before it goes on`,
    question,
    options: [],
    details: { agent },
  });
  if (isParked(said)) return said;
  if (said.status === 'failed') return { answer: null, why: `a person would not answer: ${said.message}` };
  return { answer: said.value.answer, why: 'a person gave an empty answer' };
}

/** The calling agent answers, with a call of its model that knows its task and nothing else. */
export async function answerAsAgent(services: RunServices, of: RemoteQuestion): Promise<RemoteAnswer | Parked> {
  const { call, agent, question, n } = of;
  const { node } = call.activation;
  const model = services.snapshot.models[node.id];
  if (model === undefined) return { answer: null, why: `${node.id} calls no model` };
  const input = inputOf(call);
  const task = typeof input === 'string' ? input : JSON.stringify(input);
  const { outcome } = await askPrompt(
    services,
    {
      activation: call.activation,
      model,
      skillId: call.skill.id,
      choice: node.model,
      keyOf: () => `${call.key}/answer${n}`,
      ...{ outputSchema: null, check: null, corrections: 0 },
      opening: () => [
        { role: 'system', parts: textTask(node.systemPrompt ?? '') },
        { role: 'user', parts: [...call.activation.task, ...textTask(questionOf({ agent, task, question }))] },
      ],
    },
    ({ parts }) => ({ end: { outcome: { status: 'ok', value: textOf(parts).trim() } } }),
  );
  if (outcome.status === 'failed') return { answer: null, why: outcome.message };
  const { value: text } = outcome;
  return { answer: text === '' || text === NO_ANSWER ? null : text, why: `${node.id} has no answer` };
}
