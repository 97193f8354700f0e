import type { HttpTier } from '../../../src/domain/ports/http.js';

/**
 * What every route of the full server asks of its caller (http-and-cli.md 2.3): `METHOD pattern` -> tier. HEAD has the tier of its GET.
 * `by-request`: the route decides, and its own tests say how.
 */
export const MATRIX: Readonly<Record<string, HttpTier | 'by-request'>> = {
  'GET /artifacts': 'read',
  'GET /artifacts/*': 'read',
  'GET /audit': 'read',
  'GET /events': 'read',
  'GET /gates/:gate_id': 'read',
  'GET /health': 'public',
  'GET /jobs': 'read',
  'GET /jobs/:id': 'read',
  'GET /jobs/:id/diff': 'read',
  'GET /jobs/:id/stream': 'read',
  'GET /jobs/history': 'read',
  'GET /metrics': 'read',
  'GET /openapi.json': 'read',
  'GET /queue/stats': 'read',
  'GET /review': 'read',
  'GET /review/:id': 'read',
  'GET /review/all': 'read',
  'GET /triggers': 'read',
  'POST /events/signal': 'run',
  'POST /hooks/:name': 'by-request',
  'POST /jobs/:id/resume': 'run',
  'POST /jobs/:id/stop': 'run',
  'POST /review/:id/answer': 'run',
  'POST /review/:id/approve': 'run',
  'POST /review/:id/reject': 'run',
  'POST /review/:id/resolve': 'run',
  'POST /run/:topology': 'run',
  'POST /triggers/:id/fire': 'run',
};

/** What each kind of caller meets: in = the route is reached. */
export const OUTCOMES = {
  public: { none: 'in', read: 'in', run: 'in', admin: 'in', reserved: 'in', 'wrong audience': 'in', expired: 'in' },
  read: { none: 401, read: 'in', run: 'in', admin: 'in', reserved: 403, 'wrong audience': 401, expired: 401 },
  run: { none: 401, read: 403, run: 'in', admin: 'in', reserved: 403, 'wrong audience': 401, expired: 401 },
  admin: { none: 401, read: 403, run: 403, admin: 'in', reserved: 403, 'wrong audience': 401, expired: 401 },
} as const;
