import type { Contribution } from '../../domain/extension-points.js';
import type { ContractCase } from './case.js';
import { commonCases } from './common.js';
import type { ContractFixtures } from './world.js';

/** What the suite of a tool source may be told. */
export type ToolSourceFixtures = ContractFixtures;

/** What every source of tools has in common with other contributions. */
export const toolSourceConformance = (contribution: Contribution<'toolSources'>, fixtures: ToolSourceFixtures = {}): readonly ContractCase[] =>
  commonCases({ point: 'toolSources', contribution, fixtures });
