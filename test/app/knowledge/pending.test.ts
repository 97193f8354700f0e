import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { PENDING_EDIT, pendingText, placeIdOf } from '../../../src/app/editing/pending-edit.js';
import { prepareKnowledge } from '../../../src/app/knowledge/prepare-knowledge.js';
import { validateWorkspace } from '../../../src/app/validate-workspace.js';
import { nodeFiles } from '../../../src/system/files.js';
import { pdfPages } from '../../../src/system/pdf-pages.js';
import { topology } from '../../compile/rules/artifact-text.js';
import { deps, WORKSPACE } from '../../support/compile.js';

it('a base holds the documents of a change whose process died before it wrote them', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'kit-kb-pending-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'topologies'));
  await writeFile(join(root, 'workspace.yaml'), `${WORKSPACE}memory: { enabled: false }\n`);
  const base = 'artifacts: { knowledge_bases: [{ id: kb, path: docs }] }\n';
  await writeFile(join(root, 'topologies/t.yaml'), `${topology('t', 'skills: [search-kb]')}${base}`);
  const files = [{ path: 'docs/deep/a.md', before: null, text: '# A\nSome words.\n' }];
  const place = (await placeIdOf(nodeFiles, root)) ?? '';
  await writeFile(join(root, PENDING_EDIT), pendingText({ place, files }));
  const reader = { pdfPages, cache: null };

  const prepared = await prepareKnowledge({ files: nodeFiles, root, ...reader }, [
    { id: 'kb', path: 'docs', include: [], storage: null },
  ]);
  const { diagnostics } = await validateWorkspace(root, { ...deps(), openDocuments: async () => reader });

  expect(prepared.frozen).toHaveLength(1);
  expect(diagnostics.filter(({ code }) => code.startsWith('knowledge.'))).toEqual([]);
});
