import { expect, it } from 'vitest';
import { doorOf } from '../../../plugins/serve/src/mounts/review/decision-routes.js';

it('takes a server for the local machine only where nobody is asked who they are', () => {
  expect(doorOf({ provider: 'none', assurance: 'asserted' })).toEqual({ assurance: 'asserted', openDoor: true });
  expect(doorOf({ provider: 'jwt', assurance: 'authenticated' })).toEqual({
    assurance: 'authenticated',
    openDoor: false,
  });
  expect(doorOf({ provider: 'proxy', assurance: 'asserted' })).toEqual({ assurance: 'asserted', openDoor: false });
});
