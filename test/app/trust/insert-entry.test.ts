import { describe, expect, it } from 'vitest';
import { withEntry } from '../../../src/app/trust/insert-entry.js';

const ENTRY = { kind: 'execute', match: 'npm test' } as const;
const LINE = '{ kind: execute, match: "npm test", then: allow }';

describe('an entry of permissions is added, and every other byte of the archetype stays', () => {
  it.each([
    [
      'no config',
      'executor:\n  kind: harness # the one\n  ref: claude-code\n# end\n',
      `executor:
  kind: harness # the one
  ref: claude-code
  config:
    permissions:
      - ${LINE}
# end
`,
    ],
    [
      'no config, in one line',
      'executor: { kind: harness, ref: claude-code } # c\n',
      `executor: { kind: harness, ref: claude-code, config: { permissions: [${LINE}] } } # c
`,
    ],
    [
      'a config without permissions',
      'executor:\n  config:\n    link: [a] # b\nprovenance: {}\n',
      `executor:
  config:
    link: [a] # b
    permissions:
      - ${LINE}
provenance: {}
`,
    ],
    [
      'an empty list',
      'executor:\n  config: { permissions: [] }\n',
      `executor:\n  config: { permissions: [${LINE}] }\n`,
    ],
    [
      'a list in one line',
      'executor:\n  config:\n    permissions: [{ kind: mcp, then: deny }]\n',
      `executor:
  config:
    permissions: [{ kind: mcp, then: deny }, ${LINE}]
`,
    ],
    [
      'a list',
      `executor:
    config:
        # why
        permissions:
            - { kind: network, then: ask } # ask

            - kind: mcp
              then: deny   # none
        link: [x]
`,
      `executor:
    config:
        # why
        permissions:
            - { kind: network, then: ask } # ask

            - kind: mcp
              then: deny   # none
            - ${LINE}
        link: [x]
`,
    ],
    [
      'a list at the end without a newline',
      'executor:\n  config:\n    permissions:\n      - { kind: mcp, then: ask }',
      `executor:
  config:
    permissions:
      - { kind: mcp, then: ask }
      - ${LINE}
`,
    ],
  ])('%s', (_name, before, after) => {
    expect(withEntry(before, ENTRY)).toBe(after);
  });

  it.each([
    ['no executor', 'a: 1\n'],
    ['an alias', 'x: &p []\nexecutor: { config: { permissions: *p } }\n'],
    ['no YAML', 'executor: {\n'],
  ])('%s: nothing can be added', (_name, text) => {
    expect(withEntry(text, ENTRY)).toBeNull();
  });

  it('quotes what a match holds', () => {
    const text = withEntry('executor: { config: {} }\n', { kind: 'execute', match: 'say "a: b" # c' });
    expect(text).toContain('match: "say \\"a: b\\" # c"');
  });
});
