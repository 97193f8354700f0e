import { globSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = new URL('../../../', import.meta.url);
const names = globSync('*.schema.json', { cwd: new URL('schemas/kinds/', root).pathname }).sort();

/**
 * A validator that knows nothing of kit: files, their relative references, and the standard's
 * keywords.
 */
function plainValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  for (const name of names)
    ajv.addSchema(JSON.parse(readFileSync(new URL(`schemas/kinds/${name}`, root), 'utf8')), name);
  return ajv;
}

describe('the schemas as an editor reads them', () => {
  const ajv = plainValidator();
  const rows = readFileSync(new URL('test/fixtures/artifacts/index.tsv', root), 'utf8').trim().split('\n').slice(1);

  test('are schemas by the meta-schema, and every reference leads somewhere', () => {
    for (const name of names.filter((file) => file !== 'common.schema.json'))
      expect(ajv.getSchema(name)).toBeTypeOf('function');
  });

  test('give the whole corpus the same verdict', () => {
    const different = rows.filter((row) => {
      const [path = '', kind = '', validity = ''] = row.split('\t');
      const value: unknown = parse(readFileSync(new URL(`test/fixtures/artifacts/${path}`, root), 'utf8'));
      return ajv.getSchema(`${kind}.schema.json`)?.(value) !== (validity === 'valid');
    });

    expect(different).toEqual([]);
  });

  test('describe what they are', () => {
    const untitled = names.filter((name) => {
      const schema = JSON.parse(readFileSync(new URL(`schemas/kinds/${name}`, root), 'utf8'));
      return typeof schema.title !== 'string' || typeof schema.description !== 'string';
    });

    expect(untitled).toEqual([]);
  });
});
