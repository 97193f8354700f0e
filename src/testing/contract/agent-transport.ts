import type { AgentEndpoint, AgentMessage, AgentWorld } from '../../domain/ports/agent-transport.js';
import { frozen, must, type Settled, settled, textOf } from './case.js';
import { conformanceOf, openIn, type Subject } from './common.js';
import type { ContractFixtures } from './world.js';

/** What the suite is told about the contribution. */
export type AgentTransportFixtures = ContractFixtures;

type Sub = Subject<'agentTransports', AgentTransportFixtures>;
type Fetch = AgentWorld['fetch'];

const CARD_URL = 'https://agent.invalid/card';
const TO: AgentEndpoint = { url: 'https://agent.invalid/a2a', version: '0.3' };
const BEARER = 'planted-bearer-of-the-suite';
const MESSAGE: AgentMessage = {
  messageId: 'message-1',
  contextId: null,
  skillId: 'talk',
  input: 'hello',
  budget: { usd: 1, turns: 2, wallClockMs: 60_000 },
  onBehalfOf: ['ada'],
  depth: 1,
};

const answering =
  (status: number, body: string, type: string): Fetch =>
  async () =>
    new Response(body, { status, headers: { 'content-type': type } });
const PAGE = answering(200, `<html>${BEARER}</html>`, 'text/html');
const LIST = answering(200, '[]', 'application/json');
const REFUSAL = answering(401, `{"detail":"${BEARER}"}`, 'application/json');
const UNREACHABLE: Fetch = async () => {
  throw new Error(`connect ECONNREFUSED with ${BEARER}`);
};

/** Each method, as it is called. */
const CALLS = ['card', 'send', 'get', 'cancel'] as const;

async function calls(subject: Sub, fetch: Fetch): Promise<readonly (readonly [string, Settled<unknown>])[]> {
  const { world, instance: transport } = await openIn(subject);
  const way: AgentWorld = { fetch, bearer: async () => BEARER, signal: world.context.signal };
  const made: Readonly<Record<(typeof CALLS)[number], () => Promise<unknown>>> = {
    card: () => transport.card(CARD_URL, way),
    send: () => transport.send(frozen(TO), frozen(MESSAGE), way),
    get: () => transport.get(frozen(TO), 'task-1', way),
    cancel: () => transport.cancel(frozen(TO), 'task-1', way),
  };
  const outcomes: (readonly [string, Settled<unknown>])[] = [];
  for (const name of CALLS) outcomes.push([name, await settled<unknown>(made[name], world.deadlineMs, name)]);
  return outcomes;
}

/**
 * Whatever the other side answers with, a call that got no task must not look like one that did.
 */
async function throwsAt(subject: Sub, fetch: Fetch): Promise<string | null> {
  for (const [name, outcome] of await calls(subject, fetch))
    must(outcome.how === 'error', `${name} resolved although the agent answered with nothing of use`);
  return null;
}

/** A stream that is none tells of no state; it may throw or end. */
async function followsNothing(subject: Sub): Promise<string | null> {
  for (const fetch of [PAGE, LIST, REFUSAL, UNREACHABLE]) {
    const { world, instance: transport } = await openIn(subject);
    const way: AgentWorld = { fetch, bearer: async () => BEARER, signal: world.context.signal };
    const followed = async () => {
      const states: unknown[] = [];
      for await (const state of transport.follow?.(frozen(TO), 'task-1', way) ?? []) states.push(state);
      return states;
    };
    const outcome = await settled<readonly unknown[]>(followed, world.deadlineMs, 'follow');
    must(outcome.how === 'error' || outcome.value.length === 0, 'follow told of a state that the agent did not tell');
    must(
      outcome.how !== 'error' || !textOf(outcome.error).includes(BEARER),
      'the error of follow holds the credential',
    );
  }
  return null;
}

async function hidesSecrets(subject: Sub): Promise<string | null> {
  for (const fetch of [PAGE, REFUSAL, UNREACHABLE])
    for (const [name, outcome] of await calls(subject, fetch))
      must(
        outcome.how !== 'error' || !textOf(outcome.error).includes(BEARER),
        `the error of ${name} holds the credential`,
      );
  return null;
}

/** The contract of `agentTransports`: what calls of remote agents rely on. */
export const agentTransportConformance = conformanceOf<'agentTransports', AgentTransportFixtures>('agentTransports', {
  'throws when the agent answers with a page': (subject) => throwsAt(subject, PAGE),
  'throws when the agent answers with JSON that is nothing of the protocol': (subject) => throwsAt(subject, LIST),
  'throws when the agent refuses the credential': (subject) => throwsAt(subject, REFUSAL),
  'throws when the agent cannot be reached': (subject) => throwsAt(subject, UNREACHABLE),
  'follows nothing where the agent answers with no stream': followsNothing,
  'shows no credential in an error': hidesSecrets,
});
