import { expect, test } from 'vitest';
import { parseSource } from '../../../src/compile/parse/parse-source.js';
import { checkSchema } from '../../../src/compile/schema/check-schema.js';
import type { SchemaKind } from '../../../src/compile/schema/schema-kind.js';

const ROOT = 'agents: { root: { id: r, role: root } }\n';

/** What is said of the unknown fields of a document, and of mappings that fit no form. */
function helpsOf(kind: SchemaKind, body: string): readonly (string | undefined)[] {
  const { parsed } = parseSource({ path: 'a.yaml', text: `apiVersion: kit/v1\nkind: ${kind}\n${body}` });
  if (parsed === null) throw new Error('the example does not parse');
  return checkSchema(kind, parsed.value, parsed)
    .filter(({ code }) => code === 'schema.unknown-field' || code === 'schema.variant-mismatch')
    .map(({ help }) => help);
}

test.each<[string, SchemaKind, string, string]>([
  [
    'of a block that is written',
    'Topology',
    'agents: { root: { id: r, role: root, temperature: 1, model: { provider: mock } } }\n',
    '`temperature` is a key of `model`; indent it below `model`',
  ],
  [
    'of a block that is not written',
    'Topology',
    'agents: { root: { id: r, role: root, temperature: 1 } }\n',
    '`temperature` is a key of `model`; indent it below `model`',
  ],
  [
    'of an agent further down',
    'Topology',
    'agents: { root: { id: r, role: root, children: [{ id: a, role: worker, base_scope: x }] } }\n',
    '`base_scope` is a key of `iam`; indent it below `iam`',
  ],
  [
    'of several blocks, none of which is written',
    'Topology',
    `${ROOT}storage: x\nruntime: { id: x }\n`,
    'known here: ',
  ],
  [
    'of the block around',
    'Topology',
    'agents: { root: { id: r, role: root, iam: { base_scope: [], funnel: f } } }\n',
    '`funnel` stands beside `iam`, one level further out: indent it less',
  ],
  [
    'of the file, beside the block of agents',
    'Topology',
    'agents: { root: { id: r, role: root, locks: [] } }\n',
    '`locks` stands beside `agents`, one level further out: indent it less',
  ],
  [
    'of the agent beside it',
    'Topology',
    'agents: { root: { id: r, role: root }, funnel: f }\n',
    '`funnel` is a key of `root`; indent it below `root`',
  ],
  [
    'of an agent, two levels further in',
    'Topology',
    `${ROOT}funnel: f\n`,
    '`funnel` is a key of `agents.root`; indent it below `agents.root`',
  ],
  [
    'of a block of the file',
    'Archetype',
    'model: { provider: mock }\n',
    '`model` is a key of `defaults`; indent it below `defaults`',
  ],
  [
    'of the block of a form that was meant',
    'Archetype',
    'defaults: { skills: [{ category: capability }] }\n',
    '`category` is a key of `abstract`; indent it below `abstract`',
  ],
  [
    'beside a place with several forms',
    'Funnel',
    'approve: { rules: [{ scope: a:b, quorum: { roles: [x] } }] }\n',
    '`roles` stands beside `quorum`, one level further out: indent it less',
  ],
  [
    'of the block around the list of a place with several forms',
    'Funnel',
    'approve: { rules: [{ scope: a:b, quorum: { exclude_author: true } }] }\n',
    '`exclude_author` stands beside `rules`, two levels further out: indent it less',
  ],
  [
    'of the block around the list, in the form that was meant',
    'Funnel',
    'approve: { rules: [{ scope: a:b, quorum: { k-of: 1, on_revision: reset_all } }] }\n',
    '`on_revision` stands beside `rules`, two levels further out: indent it less',
  ],
  [
    'of the file, in a list of several forms',
    'Trigger',
    'type: webhook\ntargets: [{ enabled: true }]\n',
    '`enabled` stands beside `targets`, one level further out: indent it less',
  ],
  [
    'of another form, where its value alone is meant',
    'Trigger',
    'type: manual\ntargets: [{ topology: nightly }]\n',
    'write `- nightly`',
  ],
])('an unknown field that is a key %s is told where it belongs', (_name, kind, body, help) => {
  expect(helpsOf(kind, body)).toContainEqual(expect.stringContaining(help));
});
