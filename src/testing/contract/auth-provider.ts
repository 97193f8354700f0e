import type { Contribution } from '../../domain/extension-points.js';
import type { ContractCase } from './case.js';
import { commonCases, type Subject } from './common.js';
import type { ContractFixtures } from './world.js';

/** What the suite is told about the contribution. */
export type AuthProviderFixtures = ContractFixtures;

/** The contract of `authProviders`: what every request relies on. Cases run one after the other. */
export function authProviderConformance(contribution: Contribution<'authProviders'>, fixtures: AuthProviderFixtures = {}): readonly ContractCase[] {
  const subject: Subject<'authProviders'> = { point: 'authProviders', contribution, fixtures };
  return commonCases(subject);
}
