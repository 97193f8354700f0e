import { expect, it } from 'vitest';
import { checkCredential } from '../../../src/app/doctor/checks/keys.js';
import type { StoredLogin } from '../../../src/domain/ports/credential-source.js';

const login = (over: Partial<StoredLogin>): StoredLogin => ({
  credential: 'notes',
  owner: 'ada',
  provider: 'https://as.example',
  endpoint: 'https://mcp.example',
  scopes: [],
  expiresAt: null,
  secondsRemaining: null,
  isExpired: false,
  hasRefreshToken: true,
  refreshedAt: null,
  endsAt: null,
  endsSoon: null,
  flaw: null,
  ...over,
});

it('a login that ends soon is told of, with the line that renews it', () => {
  const ending = login({ endsAt: '2026-01-02T00:00:00.000Z', endsSoon: 'week' });

  expect(checkCredential('notes', 'oauth', [login({}), ending])).toEqual({
    id: 'credential.notes',
    status: 'warn',
    found: 'the login of ada ends at 2026-01-02T00:00:00.000Z',
    fix: 'kit credentials login notes --owner ada',
  });
  expect(checkCredential('notes', 'oauth', [login({})]).status).toBe('ok');
});
