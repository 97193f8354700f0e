import fc from 'fast-check';
import { expect, it } from 'vitest';
import { archetype, LEAD, prompt, topology } from '../../../compile/rules/artifact-text.js';
import { editedWorkspace } from '../../../support/http/edited-workspace.js';

const MAIN = topology('main', 'archetype: helper, children: []');
const SOURCES = {
  'topologies/main.yaml': MAIN,
  'archetypes/helper.yaml': archetype('helper', '{ skills: [answer] }'),
  'skills/answer.yaml': prompt('answer'),
  'roles/people.yaml': LEAD,
};
const ALLOWED = [200, 400, 404, 405, 409, 412, 422];

it('whatever is sent, the answer is a stated one, refused changes write nothing, and the workspace stays valid', async () => {
  const world = await editedWorkspace(SOURCES);
  const ids = fc.constantFrom('main', 'answer', 'helper', 'people', 'new', 'main@1.0.0', 'main@2.0.0', '..', 'a%2fb');
  const kinds = fc.constantFrom('topologies', 'skills', 'archetypes', 'funnels', 'contracts', 'roles');
  const texts = fc.constantFrom(
    MAIN,
    prompt('answer'),
    prompt('new'),
    LEAD,
    topology('main', 'archetype: nobody, children: []'),
    '',
    'a: [',
    '\uFEFFa: 1',
    '- 1',
    '{}',
    'null',
  );
  const cut = fc
    .tuple(texts, fc.nat(200), fc.string({ unit: 'binary', maxLength: 5 }))
    .map(([text, at, more]) => text.slice(0, at) + more + text.slice(at));
  const body = fc.oneof(
    fc.record({ yaml: fc.oneof(texts, cut), dry_run: fc.boolean() }, { requiredKeys: ['yaml'] }),
    fc.record({ content: fc.dictionary(fc.string({ unit: 'binary', maxLength: 4 }), fc.jsonValue({ maxDepth: 4 })) }),
    fc.jsonValue({ maxDepth: 2 }).map((value) => ({ value })),
  );
  const tag = fc.constantFrom(undefined, '*', '"x"', 'W/"', ',,,');
  const request = fc.record({
    method: fc.constantFrom('PUT' as const, 'PUT' as const, 'POST' as const, 'DELETE' as const),
    kind: kinds,
    id: ids,
    body,
    tag,
  });
  let written = 0;
  await fc.assert(
    fc.asyncProperty(request, async ({ method, kind, id, body, tag }) => {
      const before = await world.tree();
      const url = method === 'POST' ? `/api/${kind}` : `/api/${kind}/${id}`;
      const answer = await world.ask(
        method,
        url,
        method === 'DELETE' ? undefined : body,
        tag === undefined ? {} : { 'if-match': tag },
      );
      expect(ALLOWED).toContain(answer.statusCode);
      const isWritten = answer.statusCode === 200 && (method === 'DELETE' || answer.json().written === true);
      if (isWritten) written += 1;
      if (isWritten) expect((await world.ask('POST', '/reload')).json()).toMatchObject({ valid: true });
      else expect(await world.tree()).toEqual(before);
    }),
    // Few of the drawn requests are changes that hold, in some draws none: this one always is.
    {
      numRuns: Number(process.env.KIT_TEST_EDITS ?? '150'),
      examples: [[{ method: 'PUT', kind: 'skills', id: 'new', body: { yaml: prompt('new') }, tag: undefined }]],
    },
  );
  expect(written).toBeGreaterThan(0);
}, 120_000);
