import Fastify from 'fastify';
import { expect } from 'vitest';
import * as wire from '../../../src/sdk/wire.js';

/** Those that name themselves: others refer to them. */
const NAMED = Object.values(wire).filter((one) => typeof one === 'object' && '$id' in one);

/** Name of an answer, what describes it, and what its mapper makes. */
export type Answer = readonly [string, wire.Schema, unknown];

/** What a server sends for an answer that a schema describes. */
async function sentAs(schema: wire.Schema, answer: unknown): Promise<string> {
  const server = Fastify();
  for (const named of NAMED) server.addSchema(named);
  const described = schema.$id === undefined ? schema : { $ref: `${schema.$id}#` };
  server.get('/', { schema: { response: { 200: described } } }, () => answer);
  const { body } = await server.inject('/');
  return body;
}

/** A member that the schema does not name would be dropped without a word. */
export async function expectSentWhole([_name, schema, answer]: Answer): Promise<void> {
  expect(await sentAs(schema, answer)).toBe(JSON.stringify(answer));
}

/** The same where members may be absent: these are written last. */
export async function expectSentInSomeOrder([_name, schema, answer]: Answer): Promise<void> {
  expect(JSON.parse(await sentAs(schema, answer))).toEqual(JSON.parse(JSON.stringify(answer)));
}
