import type { Contribution } from '../../domain/extension-points.js';
import type { ContractCase } from './case.js';
import { commonCases, type Subject } from './common.js';
import type { ContractFixtures } from './world.js';

/** What the suite is told about the contribution. */
export type SignalListenerFixtures = ContractFixtures;

/** The contract of `signalListeners`: what inbound events rely on. Cases run one after the other. */
export function signalListenerConformance(
  contribution: Contribution<'signalListeners'>,
  fixtures: SignalListenerFixtures = {},
): readonly ContractCase[] {
  const subject: Subject<'signalListeners'> = { point: 'signalListeners', contribution, fixtures };
  return commonCases(subject);
}
