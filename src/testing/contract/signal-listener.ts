import type { Signal } from '../../domain/ports/sinks.js';
import { frozen, must, type Settled, settled, textOf } from './case.js';
import { conformanceOf, openIn, type Subject } from './common.js';
import { answering, type ContractFixtures, type Network, SILENT, UNREACHABLE, type World } from './world.js';

/** What the suite is told about the contribution. */
export type SignalListenerFixtures = ContractFixtures;

type Sub = Subject<'signalListeners', SignalListenerFixtures>;

const SIGNAL: Signal = {
  correlationId: 'order-7',
  event: 'paid',
  sourceEventId: null,
  mode: 'emit',
  source: 'api:ada',
  pipeline: null,
};

const ASKED_NOBODY = 'it asked no server';

async function hand(
  subject: Sub,
  network: Network,
  stop = false,
): Promise<{ readonly world: World; readonly outcome: Settled<void> }> {
  const { world, instance: listener } = await openIn(subject, network);
  if (stop) void world.asked.then(world.abort);
  return { world, outcome: await settled(() => listener.deliver(frozen(SIGNAL)), world.deadlineMs, 'deliver') };
}

async function takes(subject: Sub): Promise<string | null> {
  const { outcome } = await hand(subject, answering(200, '{}'));
  must(outcome.how === 'value', `deliver threw ${outcome.how === 'error' ? textOf(outcome.error) : ''}`);
  return null;
}

/**
 * Whoever sent the event is told that it arrived: a listener that could not pass it on must not
 * look as if it had.
 */
async function throwsWithout(subject: Sub, network: Network, stop = false): Promise<string | null> {
  const { world, outcome } = await hand(subject, network, stop);
  if (world.requests.length === 0) return ASKED_NOBODY;
  must(outcome.how === 'error', 'deliver resolved although its server did not take the event');
  return null;
}

async function hidesSecrets(subject: Sub): Promise<string | null> {
  for (const network of [UNREACHABLE, answering(400, 'no ', { echo: true }), answering(500, 'oops ', { echo: true })]) {
    const { world, outcome } = await hand(subject, network);
    world.mustHideSecrets(outcome.how === 'error' ? { 'its error': outcome.error } : {});
  }
  return null;
}

/**
 * The contract of `signalListeners`: what inbound events rely on. Cases run one after the other.
 */
export const signalListenerConformance = conformanceOf<'signalListeners', SignalListenerFixtures>('signalListeners', {
  'takes an event, and leaves it as it was given': takes,
  'throws when its server refuses the event': (subject) => throwsWithout(subject, answering(400, 'no')),
  'throws when its server is broken': (subject) => throwsWithout(subject, answering(500, 'oops')),
  'throws when its server cannot be reached': (subject) => throwsWithout(subject, UNREACHABLE),
  'ends soon when the host is disposed while its server is silent': (subject) => throwsWithout(subject, SILENT, true),
  'shows no secret in an error or its log': hidesSecrets,
});
