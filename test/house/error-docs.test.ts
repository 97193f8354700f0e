import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ERROR_REGISTRY } from '../../src/domain/error-registry.js';

const page = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const sections = new Map([...page.matchAll(/^## (KIT_[A-Z0-9_]+)\n\n([^#]+)/gm)].map(([, code, text]) => [code, text]));

describe('docs/errors.md', () => {
  it('has a section for every code, and none for a code that does not exist', () => {
    const codes = Object.keys(ERROR_REGISTRY);
    expect(
      codes.filter((code) => !sections.has(code)),
      'write a section `## CODE` in docs/errors.md',
    ).toEqual([]);
    expect(
      [...sections.keys()].filter((code) => code === undefined || !codes.includes(code)),
      'no registry has it',
    ).toEqual([]);
  });

  it.each(Object.entries(ERROR_REGISTRY))(
    'states exit code and HTTP status of %s as the registry does',
    (code, { exit, http }) => {
      expect(sections.get(code)).toContain(`Exit ${exit}, HTTP ${http}.`);
    },
  );
});
