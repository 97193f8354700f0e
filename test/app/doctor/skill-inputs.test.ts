import { expect, test } from 'vitest';
import { checkSkillInputs } from '../../../src/app/doctor/checks/workspace.js';

test('skills whose inputs are shown in another form are named, where there are some', () => {
  const [check, ...more] = checkSkillInputs('/w 1', [
    { code: 'skill.flat-inputs', path: 'skills/a.yaml' },
    { code: 'model.unread-key', path: 'b.yaml' },
  ]);

  expect(check).toMatchObject({ id: 'skill-inputs', status: 'warn', fix: "kit validate '/w 1'" });
  expect(check?.found).toContain('skills/a.yaml');
  expect(more).toEqual([]);
  expect(checkSkillInputs('/w', [])).toEqual([]);
});
