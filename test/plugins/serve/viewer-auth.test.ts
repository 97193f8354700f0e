import { expect, it } from 'vitest';
import { authOf } from '../../../plugins/serve/src/mounts/review/viewer.js';

it('takes a server for the local machine only where nobody is asked who they are', () => {
  expect(authOf({ clientName: 'Ann', provider: 'none', assurance: 'asserted' })).toEqual({
    clientName: 'Ann',
    assurance: 'asserted',
    isUnauthenticated: true,
  });
  expect(authOf({ clientName: 'Ann', provider: 'jwt', assurance: 'authenticated' })).toEqual({
    clientName: 'Ann',
    assurance: 'authenticated',
    isUnauthenticated: false,
  });
  expect(authOf({ clientName: 'Ann', provider: 'proxy', assurance: 'asserted' })).toEqual({
    clientName: 'Ann',
    assurance: 'asserted',
    isUnauthenticated: false,
  });
});
