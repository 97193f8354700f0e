import type { Contribution } from '../../domain/extension-points.js';
import type { ContractCase } from './case.js';
import { commonCases, type Subject } from './common.js';
import type { ContractFixtures } from './world.js';

/** What the suite is told about the contribution. */
export type HttpMountFixtures = ContractFixtures;

/** The contract of `httpMounts`: what a server relies on when it mounts routes. Cases run one after the other. */
export function httpMountConformance(contribution: Contribution<'httpMounts'>, fixtures: HttpMountFixtures = {}): readonly ContractCase[] {
  const subject: Subject<'httpMounts'> = { point: 'httpMounts', contribution, fixtures };
  return commonCases(subject);
}
