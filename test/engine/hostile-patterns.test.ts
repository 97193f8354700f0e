import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Json, JsonObject, JsonSchema } from '../../src/domain/json.js';
import { lazyJsonSchemas } from '../../src/lib/json-schema.js';
import type { RunFacilities } from '../../src/worker/facilities.js';
import { gatedBy, ONE_ROLE } from '../support/gated.js';
import { HOSTILE_SCHEMA, HOSTILE_VALUE, MEETINGS } from '../support/patterns/vulnerable.js';
import { agent, call, commandSkill } from '../support/run-world.js';
import { adapter, harness, harnessWorlds } from './harness-world.js';
import { lawfulWorlds } from './laws.js';

const schemas = lazyJsonSchemas();
const open = lawfulWorlds();
const harnesses = harnessWorlds();
const SCHEMA = HOSTILE_SCHEMA as JsonSchema;
const VALUE = HOSTILE_VALUE as unknown as Json;
const TEXT = JSON.stringify(VALUE);
/** A place where a pattern of an author meets what a model, a tool or a program said. */
const PLACES = [
  'arguments of a call',
  'answer of a tool',
  'answer of an agent',
  'draft',
  'answer of a session',
] as const;

/** Which texts met the patterns of the schema, and whether they were found to fit. */
function watched() {
  const met: { readonly texts: number; readonly fits: boolean }[] = [];
  const facilities = (): Partial<RunFacilities> => ({
    validate: async (schema, value) => {
      const errors = await (await schemas()).judge(schema, value);
      if (JSON.stringify(schema) === JSON.stringify(SCHEMA) && JSON.stringify(value) === TEXT)
        met.push({ texts: Object.values(value as JsonObject).flat().length, fits: errors.length === 0 });
      return errors;
    },
  });
  return { met, facilities };
}

type Watched = ReturnType<typeof watched>['facilities'];
const RUNS: Readonly<Record<(typeof PLACES)[number], (facilities: Watched) => Promise<unknown>>> = {
  'arguments of a call': async (facilities) => {
    const world = await open({
      root: agent('root', { role: 'root', skills: ['say'] }),
      skills: [commandSkill('say', ['echo', 'said'], { inputs: SCHEMA })],
      script: ({ turn }) => (turn === 0 ? [call('say', VALUE)] : 'done'),
      facilities,
    });
    await world.run();
  },
  'answer of a tool': async (facilities) => {
    const world = await open({
      root: agent('root', { role: 'root', skills: ['say'] }),
      skills: [commandSkill('say', ['cat', 'said.json'], { outputs: SCHEMA })],
      script: ({ turn }) => (turn === 0 ? [call('say', {})] : 'done'),
      facilities,
    });
    await writeFile(join(world.dir, 'said.json'), TEXT);
    await world.run();
  },
  'answer of an agent': async (facilities) => {
    const world = await open({
      root: agent('root', { role: 'root', outputSchema: SCHEMA }),
      script: () => TEXT,
      facilities,
    });
    await world.run();
  },
  draft: async (facilities) => {
    const validate = { schema: SCHEMA, autocorrect: false, sliceBudget: null, citedChange: false };
    const world = await open({
      root: agent('writer', { role: 'root', funnel: 'sign-off' }),
      script: () => TEXT,
      facilities,
      ...gatedBy(ONE_ROLE, { validate }),
    });
    await world.run();
  },
  'answer of a session': async (facilities) => {
    const root = harness('root', { role: 'root', outputSchema: SCHEMA });
    await harnesses.run({ adapter: adapter(`done(JSON.parse(${JSON.stringify(TEXT)}));`), root, facilities });
  },
};

it.each(PLACES)('200 vulnerable patterns come to an end at the %s', async (place) => {
  const { met, facilities } = watched();
  await RUNS[place](facilities);
  expect(met[0]).toEqual({ texts: MEETINGS, fits: false });
  expect(MEETINGS).toBe(600);
});
