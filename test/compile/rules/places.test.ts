import { expect, it } from 'vitest';
import { compileSources } from '../../support/compile.js';
import { topology } from './artifact-text.js';

/** The texts that the further places of the findings of a code show, with what is said of each. */
async function shownBeside(code: string, sources: Readonly<Record<string, string>>) {
  const { diagnostics } = await compileSources(sources);
  return diagnostics
    .filter((diagnostic) => diagnostic.code === code)
    .flatMap(({ related = [] }) =>
      related.map(({ span, message }) => [message, sources[span.path]?.slice(span.start, span.end)]),
    );
}

it('a role that is defined twice is shown at both places', async () => {
  const roles =
    'apiVersion: kit/v1\nkind: RoleRegistry\nmetadata: { id: people, name: People }\nroles:\n  - { id: one, members: [], scopes: [a:b] }\n  - { id: two, members: [], scopes: [a:b] }\n  - { id: "two", members: [], scopes: [a:b] }\n';
  expect(await shownBeside('role.duplicate-id', { 'roles/r.yaml': roles })).toEqual([
    ['defined again here', '"two"'],
    ['first defined here', 'two'],
  ]);
});

it('a provider of nobody is shown where the archetype names it', async () => {
  const archetype =
    'apiVersion: kit/v1\nkind: Archetype\nmetadata: { id: a, name: A, description: One of many. }\nrole: root\ndefaults: { model: { provider: opnai, name: m } }\nprovenance: { authored_by: human, version: 1.0.0 }\n';
  const sources = { 'archetypes/a.yaml': archetype, 'topologies/t.yaml': topology('t', 'archetype: a') };
  expect(await shownBeside('agent.unknown-provider', sources)).toEqual([['its archetype names it here', 'opnai']]);
});
