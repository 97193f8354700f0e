import type { Contribution } from '../../domain/extension-points.js';
import type { ContractCase } from './case.js';
import { commonCases, type Subject } from './common.js';
import type { ContractFixtures } from './world.js';

/** What the suite is told about the contribution. */
export type TriggerFixtures = ContractFixtures;

/** The contract of `triggers`: what a server relies on when a trigger starts and a delivery comes. Cases run one after the other. */
export function triggerConformance(contribution: Contribution<'triggers'>, fixtures: TriggerFixtures = {}): readonly ContractCase[] {
  const subject: Subject<'triggers'> = { point: 'triggers', contribution, fixtures };
  return commonCases(subject);
}
