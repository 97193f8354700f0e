import type { AuthoringApp } from '../app/authoring-app.js';
import type { Machine } from '../app/init/choose-provider.js';
import type { InitDeps } from '../app/init/plan-extras.js';
import type { ScaffoldDeps } from '../app/scaffold/plan-part.js';
import type { PluginHost } from '../domain/extension-points.js';
import type { AppParts } from './parts.js';

/** A local server answers at once or is not there. */
const OLLAMA_TIMEOUT_MS = 1_000;
const OLLAMA_URL = 'http://127.0.0.1:11434';

async function ollamaModels(baseUrl: string): Promise<readonly string[] | null> {
  try {
    const response = await fetch(new URL('/api/tags', baseUrl), {
      signal: AbortSignal.timeout(OLLAMA_TIMEOUT_MS),
      redirect: 'error',
    });
    const body: unknown = response.ok ? await response.json() : null;
    if (typeof body !== 'object' || body === null || !('models' in body) || !Array.isArray(body.models)) return null;
    return body.models.flatMap((model: unknown) =>
      typeof model === 'object' && model !== null && 'name' in model && typeof model.name === 'string'
        ? [model.name]
        : [],
    );
  } catch {
    return null;
  }
}

async function readMachine(env: NodeJS.ProcessEnv, host: PluginHost): Promise<Machine> {
  // Only asked where Ollama was found: a foreign server at that port is none of our business.
  const { whichProgram } = await import('../system/which-program.js');
  const hasOllama = (await whichProgram('ollama', env.PATH)) !== null;
  return {
    environment: env,
    families: host.list('modelProviders').map(({ name }) => name),
    hasOllama,
    hasClaude: (await whichProgram('claude', env.PATH)) !== null,
    ollamaModels: hasOllama ? await ollamaModels(env.OLLAMA_BASE_URL || OLLAMA_URL) : null,
  };
}

/** Wires the use cases of someone who writes a workspace. */
export function createAuthoring(parts: AppParts, host: () => Promise<PluginHost>): AuthoringApp {
  const { packageRoot } = parts.plugins;
  const deps = async (): Promise<InitDeps> => {
    const [{ nodeFiles }, { nodeNewFiles }] = await Promise.all([
      import('../system/files.js'),
      import('../system/new-files.js'),
    ]);
    return {
      files: nodeFiles,
      newFiles: nodeNewFiles,
      packageRoot,
      machine: async () => readMachine(parts.env, await host()),
    };
  };
  const init = () => import('../app/init/init-workspace.js');
  const scaffold = () => import('../app/scaffold/plan-part.js');
  const partDeps = async (): Promise<ScaffoldDeps> => {
    const [{ newFiles, machine }, { createFileEdits }, { workspaceDeps }, { lazyJsonSchemas }] = await Promise.all([
      deps(),
      import('../system/file-edits.js'),
      import('./open-session.js'),
      import('../lib/json-schema.js'),
    ]);
    const compile = { ...(await workspaceDeps({ env: parts.env, host })), schemas: lazyJsonSchemas() };
    return { newFiles, machine, edits: createFileEdits(), compile };
  };
  return {
    explain: async (code) => (await import('../app/explain-diagnostic.js')).explainDiagnostic(code, await deps()),
    templates: async () => (await init()).listTemplates(await deps()),
    planInit: async (request) => (await init()).planWorkspace(request, await deps()),
    planFrom: async (request) => {
      const [{ planFrom }, { openSource }] = await Promise.all([
        import('../app/init/from/plan-from.js'),
        import('./open-source.js'),
      ]);
      const { cwd } = parts.settings;
      const { files } = await deps();
      return planFrom(request, { files, packageRoot, cwd, environment: parts.env, openSource: openSource(parts) });
    },
    writeInit: async (plan) => (await init()).writeWorkspace(plan, await deps()),
    schemas: async (ask) => {
      const [{ writeSchemas }, { createFileEdits }] = await Promise.all([
        import('../app/init/write-schemas.js'),
        import('../system/file-edits.js'),
      ]);
      return writeSchemas(ask, { ...(await deps()), edits: createFileEdits() });
    },
    planPart: async (ask) => (await scaffold()).planPart(ask, await partDeps()),
    writePart: async (plan) => (await scaffold()).writePart(plan, await partDeps()),
    fix: async (ask) => {
      const [{ fixWorkspace }, { compile, edits }] = await Promise.all([import('../app/fix-workspace.js'), partDeps()]);
      return fixWorkspace(ask, { compile, edits });
    },
  };
}
