import { expect, test } from 'vitest';
import { authorNotice, authorUnidentified } from '../../../src/app/submit/author-notice.js';
import type { LinkedFunnel } from '../../../src/domain/linked-funnel.js';

const FUNNEL = { id: 'sign', approve: { excludeAuthor: true } } as unknown as LinkedFunnel;
const roles = [
  {
    value: {
      apiVersion: 'kit/v1',
      kind: 'RoleRegistry',
      metadata: { id: 'people', name: 'People' },
      roles: [{ id: 'qa', members: ['anonymous'], scopes: ['release:sign'] }],
    },
  },
] as unknown as Parameters<typeof authorNotice>[0]['roles'];

test.each([
  ['anonymous', 'an anonymous caller is nobody in particular', /--as <identity>/],
  ['stranger', 'stranger stands in no role registry', /^Add stranger to a role/],
  ['', 'nobody stands in no role registry', /--as <identity>/],
])('an author called "%s" is told why they are not identified, and the cure', (identity, why, cure) => {
  const notice = authorNotice({ roles }, [FUNNEL], { identity, assurance: 'asserted' });

  expect(notice?.message).toBe(`author not identified: ${why}, and sign excludes the author`);
  expect(notice?.hint).toMatch(cure);
});

test('the refusal of somebody who has said who they are does not ask for it again', () => {
  const notice = authorNotice({ roles }, [FUNNEL], { identity: 'stranger', assurance: 'asserted' });
  if (notice === null) throw new Error('expected a notice');

  expect(authorUnidentified(notice).hint).toBe(notice.hint);
  expect(authorUnidentified(notice).hint).not.toContain('--as');
});
