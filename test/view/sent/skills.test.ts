import { it } from 'vitest';
import * as wire from '../../../src/sdk/wire.js';
import { toWireCatalogue, toWireImport, toWireSkillCheck, toWireSkillPlan } from '../../../src/view/schemas/skill.js';
import { type Answer, expectSentWhole } from '../../support/http/sent-as.js';

const PLAN = {
  files: [{ path: 'skills/a.yaml', text: 'id: a', state: 'new' }],
  server: { section: 'mcp_servers', id: 's', value: { command: ['s'] }, state: 'differs' },
  credentials: [{ section: 'credentials', id: 'c', value: { source: 'env' }, state: 'same' }],
  notes: ['a note'],
  digest: 'abc',
} as const;
const ANSWERS: readonly Answer[] = [
  [
    'the catalogue of skills',
    wire.SKILL_CATALOGUE,
    toWireCatalogue({
      source: 'bundled',
      bundles: [
        {
          id: 'b',
          name: 'B',
          description: '',
          skills: ['s'],
          verification: 'v',
          requiresRuntime: '>=1.0.0',
          needs: ['git'],
        },
      ],
      skills: [{ id: 's', bundle: 'b', name: 'S', description: '', backing: 'mcp', server: 'x', isInstalled: true }],
      broken: [{ id: 'c', problem: 'none' }],
      workspace: [],
    }),
  ],
  ['a plan of skills', wire.SKILLS_ADDED, toWireSkillPlan(PLAN, null)],
  [
    'skills that were added',
    wire.SKILLS_ADDED,
    toWireSkillPlan({ ...PLAN, server: null }, { files: ['a'], server: true, reloaded: false }),
  ],
  [
    'an import',
    wire.SKILL_IMPORTED,
    toWireImport({ ...PLAN, skill: 'a', path: 'skills/a.yaml', leftOut: ['x'] }, null),
  ],
  [
    'a check of skills',
    wire.SKILL_CHECKS,
    [toWireSkillCheck({ skill: 's', server: 'x', tool: 't', status: 'missing', detail: 'gone' })],
  ],
];

it.each(ANSWERS)('%s is sent as it is made, member for member', async (...answer) => {
  await expectSentWhole(answer);
});
