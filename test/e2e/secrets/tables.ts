import { expect } from 'vitest';
import type { TestDatabase } from '../../support/components/postgres.js';
import type { Place } from './places.js';

/** What is surely in a table once the scene was played. */
const CANARIES: Readonly<Record<string, string>> = {
  'kit.jobs': 'canary-answer',
  'kit.steps': 'canary-pack',
  'kit.events': 'skill.executed',
  'kit.prompts': 'canary-pack',
  'kit.memories': 'canary-memory',
  'kit.sealed_rows': 'notes',
};

/** Every row of every table is a place; answers those that were looked for and are not there. */
export async function seeTables(
  database: TestDatabase,
  {
    places,
    see,
  }: { readonly places: readonly Place[]; readonly see: (...place: [string, string, string | null]) => void },
): Promise<readonly string[]> {
  const tables = await database.query<{ name: string }>(
    "SELECT 'kit.' || tablename AS name FROM pg_tables WHERE schemaname = 'kit'",
  );
  expect(tables.length).toBeGreaterThan(20);
  for (const { name } of tables)
    see(`table ${name}`, JSON.stringify(await database.query(`SELECT * FROM ${name}`)), CANARIES[name] ?? null);
  return Object.keys(CANARIES).filter((name) => !places.some((place) => place.name === `table ${name}`));
}
