import type { ContractCase } from '../../src/sdk/testing.js';

export interface SuiteResult {
  /** Name -> what the violation says. */
  readonly failed: Readonly<Record<string, string>>;
  readonly notExercised: readonly string[];
}

/** Runs a suite as any runner would: one case after the other. */
export async function runCases(cases: readonly ContractCase[]): Promise<SuiteResult> {
  const failed: Record<string, string> = {};
  const notExercised: string[] = [];
  for (const { name, run } of cases) {
    try {
      if ((await run()) !== null) notExercised.push(name);
    } catch (error) {
      failed[name] = error instanceof Error ? error.message : String(error);
    }
  }
  return { failed, notExercised };
}

/** Small, so that a mutant that hangs costs little; a case that holds never comes near it. */
export const DEADLINE_MS = 400;
