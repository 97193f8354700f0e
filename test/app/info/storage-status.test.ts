import { expect, it } from 'vitest';
import { storageStatus } from '../../../src/app/info/storage-status.js';
import { type InfoDeps, systemStatus } from '../../../src/app/info/system-status.js';

const WORKSPACE = `apiVersion: kit/v1
kind: Workspace
metadata: { id: shop, name: Shop }
storage: { audit: { retention_days: 30 } }
`;

/** A workspace of one file where nothing was ever run, and how often that file is read. */
function world() {
  const read: string[] = [];
  const files: InfoDeps['files'] = {
    readText: async (path) => {
      read.push(path);
      return path === '/shop/workspace.yaml' ? WORKSPACE : null;
    },
    readBytes: async () => null,
    sizeBytes: async () => null,
    realPath: async (path) => (/^\/shop(\/workspace\.yaml)?$/.test(path) ? path : null),
    list: async () => [{ name: 'workspace.yaml', kind: 'file' }],
  };
  const deps = {
    files,
    environment: {},
    role: () => null,
    stateDirOf: () => '/shop/.kit',
    plugins: async () => ({ find: () => null, report: () => [] }),
    openStores: async () => null,
    now: async () => 0,
    versions: async () => ({ kit: '1.0.0', node: '24.0.0' }),
    maskOf: async () => (text: string) => text,
    validate: async () => ({ workspace: null, launches: [], knowledge: [] }) as never,
  };
  return { deps, times: () => read.filter((path) => path === '/shop/workspace.yaml').length };
}

const EXPECTED = { retention: { days: 30, source: 'storage.audit.retention_days' }, store: { kind: 'none' } };

it('tells where stores lie and how they grow of one reading of the file', async () => {
  const { deps, times } = world();
  const { report, growth } = await storageStatus('/shop', deps);
  expect(report.stores.map(({ store }) => store)).toContain('runtime');
  expect(growth).toMatchObject(EXPECTED);
  expect(times()).toBe(1);
});

it('reads the file once for the whole page', async () => {
  const { deps, times } = world();
  const { storage, growth } = await systemStatus('/shop', deps);
  expect(storage.stores.map(({ store }) => store)).toContain('runtime');
  expect(growth).toMatchObject(EXPECTED);
  expect(times()).toBe(1);
});
