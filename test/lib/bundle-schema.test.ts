import { expect, it } from 'vitest';
import { bundleSchema } from '../../src/lib/bundle-schema.js';

const FILES: Readonly<Record<string, { readonly [key: string]: never }>> = JSON.parse(
  JSON.stringify({
    'common.schema.json': {
      $schema: 'x',
      $defs: {
        Name: { type: 'string' },
        Pair: { items: { $ref: '#/$defs/Name' } },
        Back: { $ref: 'other.schema.json' },
      },
    },
    'other.schema.json': { type: 'array', items: { $ref: 'common.schema.json#/$defs/Name' } },
  }),
);
const read = async (file: string) => FILES[file] ?? null;

it('takes in every document that is referred to, once, and leads each reference there', async () => {
  const root = {
    $defs: { Own: { $ref: '#/$defs/Other' }, Other: true },
    allOf: [{ $ref: 'common.schema.json#/$defs/Pair' }, { $ref: '#/$defs/Own' }],
  };

  expect(await bundleSchema(root, read)).toEqual({
    allOf: [{ $ref: '#/$defs/common.schema.json/$defs/Pair' }, { $ref: '#/$defs/Own' }],
    $defs: {
      Own: { $ref: '#/$defs/Other' },
      Other: true,
      'common.schema.json': {
        $defs: {
          Name: { type: 'string' },
          Pair: { items: { $ref: '#/$defs/common.schema.json/$defs/Name' } },
          Back: { $ref: '#/$defs/other.schema.json' },
        },
      },
      'other.schema.json': { type: 'array', items: { $ref: '#/$defs/common.schema.json/$defs/Name' } },
    },
  });
});

it('leaves a document alone that refers to none, and refuses one that is not there', async () => {
  expect(await bundleSchema({ items: { $ref: '#' } }, read)).toEqual({ items: { $ref: '#' } });
  await expect(bundleSchema({ $ref: 'gone.schema.json' }, read)).rejects.toThrow('gone.schema.json');
});
