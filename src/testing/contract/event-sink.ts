import type { Contribution } from '../../domain/extension-points.js';
import type { ContractCase } from './case.js';
import { commonCases, type Subject } from './common.js';
import type { ContractFixtures } from './world.js';

/** What the suite is told about the contribution. */
export type EventSinkFixtures = ContractFixtures;

/** The contract of `eventSinks`: what the background delivery of events relies on. Cases run one after the other. */
export function eventSinkConformance(contribution: Contribution<'eventSinks'>, fixtures: EventSinkFixtures = {}): readonly ContractCase[] {
  const subject: Subject<'eventSinks'> = { point: 'eventSinks', contribution, fixtures };
  return commonCases(subject);
}
