import type { DocsApp } from '../app/docs/docs-app.js';
import type { AppParts } from './parts.js';

/** Wires the documentation that lies in the package. */
export async function createDocs({ plugins }: AppParts): Promise<DocsApp> {
  const [{ createDocsApp }, { nodeFiles }] = await Promise.all([
    import('../app/docs/create-docs-app.js'),
    import('../system/files.js'),
  ]);
  return createDocsApp({ files: nodeFiles, packageRoot: plugins.packageRoot });
}
