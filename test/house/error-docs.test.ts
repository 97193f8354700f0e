import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ERROR_REGISTRY } from '../../src/domain/error-registry.js';

const page = await readFile(new URL('../../docs/errors.md', import.meta.url), 'utf8');
const sections = new Map([...page.matchAll(/^## (KIT_[A-Z0-9_]+)\n\n([^#]+)/gm)].map(([, code, text]) => [code, text]));

describe('docs/errors.md', () => {
  it('has a section for every code, and none for a code that does not exist', () => {
    expect([...sections.keys()].sort()).toEqual(Object.keys(ERROR_REGISTRY).sort());
  });

  it.each(Object.entries(ERROR_REGISTRY))(
    'states exit code and HTTP status of %s as the registry does',
    (code, { exit, http }) => {
      expect(sections.get(code)).toContain(`Exit ${exit}, HTTP ${http}.`);
    },
  );
});
