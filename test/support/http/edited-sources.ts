import { archetype, prompt, topology } from '../../compile/rules/artifact-text.js';

export const MAIN = topology('main', 'archetype: helper, model: { provider: mock, name: m }, children: []');
export const HELPER = archetype('helper', '{ model: { provider: mock, name: m1 }, skills: [answer] }');
/** A topology, the archetype that it uses, and the skill that that holds. */
export const SOURCES = {
  'topologies/main.yaml': MAIN,
  'archetypes/helper.yaml': HELPER,
  'skills/answer.yaml': prompt('answer'),
};

/** A topology that uses nothing. */
export const other = (name: string, version = '1.0.0'): string =>
  topology(name, 'children: []').replace('1.0.0', version);

/** Codes of the mistakes that an answer names. */
export const codes = (body: { readonly errors?: readonly { readonly code: string }[] }) =>
  body.errors?.map(({ code }) => code);
