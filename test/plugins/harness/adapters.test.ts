import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const text = (path: string): string => readFileSync(`${root}${path}`, 'utf8');
const manifest = JSON.parse(text('plugins/harness/package.json'));
const executor = manifest.kit.contributes.executors[0];

describe('the bundled adapters', () => {
  it('are all named in the manifest, one file an id', () => {
    const files = readdirSync(`${root}plugins/harness/adapters`).sort();

    expect(executor.adapters.map((path: string) => path.replace('./adapters/', '')).sort()).toEqual(files);
    expect(files.map((file) => parse(text(`plugins/harness/adapters/${file}`)).metadata.id)).toEqual(
      files.map((file) => file.replace('.yaml', '')),
    );
  });

  it.each(executor.adapters as string[])('%s fits the schema of its kind', (path) => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(JSON.parse(text('schemas/kinds/common.schema.json')), 'common.schema.json');
    const check = ajv.compile(JSON.parse(text('schemas/kinds/executor-adapter.schema.json')));

    expect(check(parse(text(`plugins/harness/${path}`))) ? [] : check.errors).toEqual([]);
  });

  it('are shipped with the package', () => {
    expect(manifest.files).toEqual(expect.arrayContaining(['/dist', '/adapters', '/schemas']));
  });
});
