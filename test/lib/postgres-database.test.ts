import { expect, it } from 'vitest';
import { isSameDatabase } from '../../src/lib/postgres-database.js';

it.each([
  ['postgres://a:b@db/x', 'postgresql://c@DB:5432/x?sslmode=require'],
  ['postgres://db/x%20y', 'postgres://db:5432/x y'],
  ['postgres://ada@db', 'postgres://ada@db/ada'],
  ['postgres://localhost/x', 'postgres:///x'],
  ['postgres:///x?host=/run/pg', 'postgres://ignored/x?host=/run/pg'],
] as const)('%s and %s name one database', (one, other) => {
  expect(isSameDatabase(one, other)).toBe(true);
});

it.each([
  ['postgres://db/x', 'postgres://db/y'],
  ['postgres://db/x', 'postgres://db:5433/x'],
  ['postgres://db/x', 'postgres://db2/x'],
  ['postgres://db/x', 'no url'],
] as const)('%s and %s do not', (one, other) => {
  expect(isSameDatabase(one, other)).toBe(false);
});
