import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkspaceDeps } from '../app/load-workspace.js';
import { readEnv } from '../app/read-env.js';
import { createSessionLife } from '../app/runs/session-life.js';
import { storageEnvironment } from '../app/storage/storage-environment.js';
import { osUser } from '../cli/os-user.js';
import type { SourceFile } from '../domain/diagnostic.js';
import { isOwnSource } from '../domain/own-source.js';
import type { AskVersion } from '../domain/ports/programs.js';
import type { FindReferences } from '../domain/ports/references.js';
import type { CredentialService } from '../host/secrets.js';
import { writtenSecrets } from '../host/secrets-names.js';
import { lazyJsonSchemas } from '../lib/json-schema.js';
import { assertPrices } from './assert-prices.js';
import { containerSweep, facilitiesOpener } from './facilities-opener.js';
import type { ReferencePlaces } from './find-references.js';
import type { KnownSecretsDeps, KnownWorkspace } from './known-secrets.js';
import type { DocumentReader } from './open-documents.js';
import { vaultParts } from './open-vault.js';
import type { BootSession, SessionParts } from './parts.js';
import { lazyRunsPlace } from './runs-place.js';
import { sessionWorktrees } from './session-worktrees.js';
import { homesOf, userConfigDir } from './settings.js';
import { stateDirOf } from './state-dir.js';
import { createTrustFile, createVisitsFile, rememberStore } from './trust-file.js';
import { openWorkspaceHost } from './workspace-host.js';

/** What compiling a workspace needs, from the real machine. */
export async function workspaceDeps(parts: Pick<SessionParts, 'env' | 'host'>): Promise<WorkspaceDeps> {
  const [{ nodeFiles }, plugins] = await Promise.all([import('../system/files.js'), parts.host()]);
  const executors = plugins.list('executors');
  const adapters = executors.flatMap((info) => info.adapters ?? []);
  return {
    files: nodeFiles,
    environment: parts.env,
    installedSince: plugins.installedSince,
    adapterSources: await Promise.all(
      adapters.map(async (path): Promise<SourceFile> => ({ path, text: await readFile(path, 'utf8') })),
    ),
    executors: new Map(executors.map((info) => [info.name, info.configSchema])),
    modelProviders: plugins.list('modelProviders'),
    authProviders: plugins.list('authProviders').map(({ name }) => name),
    eventSinks: plugins.list('eventSinks'),
    compressors: plugins.list('compressors'),
    skillStrategies: plugins.list('skillStrategies'),
    triggerTypes: plugins.list('triggers'),
    submitter: osUser(),
  };
}

/** Opens a workspace with everything that a run of it needs; nothing is written yet. */
export async function openSession(parts: SessionParts, directory: string): Promise<BootSession> {
  const schemas = lazyJsonSchemas(async () => (await import('../system/patterns-in-time.js')).createPatternJudge());
  const deps = { ...(await workspaceDeps(parts)), schemas };
  const env = readEnv(parts.env);
  const { values: environment } = env;
  const { loadWorkspace } = await import('../app/load-workspace.js');
  const { workspace, references, names } = await loadWorkspace(directory, deps);
  const known = {
    credentials: workspace.credentials,
    secrets: writtenSecrets(names, {
      lookup: references.lookup,
      isDeclared: (name) => references.secrecyOf(name) === 'declared',
    }),
  };
  const vault = vaultParts({
    ...parts,
    openStores: () => session.openStores(),
    openExisting: async () => parts.openExisting(await placeOfRuns()),
  });
  const { host, credentials } = await openWorkspaceHost({
    ...parts,
    vault: () => vault,
    files: deps.files,
    workspace: {
      root: workspace.root,
      credentials: workspace.credentials,
      lookup: references.lookup,
      secrets: known.secrets,
    },
  });
  const stateDir = stateDirOf(workspace.root, parts.env);
  const placeOfRuns = lazyRunsPlace({
    ...parts,
    ...{ workspace, host, credentials, stateDir },
    resolve: (text) => references.resolve(text),
  });
  let documents: DocumentReader | undefined;
  const trust = createTrustFile(join(userConfigDir(parts.env), 'trusted-adapters.json'), {
    user: osUser,
    now: Date.now,
  });
  const askVersion = lazyAskVersion(parts);
  const visitsFile = join(userConfigDir(parts.env), 'visited-workspaces.json');
  let isKnown: Promise<void> | undefined;
  let arePluginsKept = false;
  const life = createSessionLife(async () => {
    await session.closeServers();
    if (!arePluginsKept) await host.dispose();
  });
  const session: BootSession = {
    ...life,
    workspace,
    plugins: host,
    keepPlugins: () => {
      arePluginsKept = true;
    },
    credentials,
    vault,
    storageEnvironment: storageEnvironment(parts.env, (text) => references.resolve(text)),
    trust,
    visits: createVisitsFile(visitsFile),
    openStores: async () => {
      isKnown ??= rememberStore(visitsFile, { workspace: workspace.root, homes: homesOf(parts.env) });
      const [stores] = await Promise.all([parts.openStores(await placeOfRuns()), isKnown]);
      return stores;
    },
    ...(await facilitiesOpener(parts, {
      ...{ workspace, host, credentials, schemas, stateDir, askVersion },
      hasForeignCredentials: [...workspace.credentials.values()].some((entry) => !isOwnSource(entry)),
      windowS: Number(environment.KIT_OAUTH_RUN_WINDOW_S),
      keptPrompts: Number(environment.KIT_DEBUG_PROMPTS),
      session: () => session,
    })),
    ...sessionWorktrees(stateDir, parts.env),
    sweepContainers: containerSweep(parts.env, workspace),
    prepare: {
      plugins: host,
      schemas,
      trust,
      env: env.run,
      texts: new WeakMap(),
      isSet: (name) => Boolean(parts.env[name]),
      // Most runs carry none, and never load what reads them.
      attachments: async ({ attachments }) =>
        attachments.length === 0
          ? []
          : (await import('../app/attachments/prepare-attachments.js')).prepareAttachments(attachments, {
              files: deps.files,
              workspaceRoot: workspace.root,
              maxBytes: Number(env.run.KIT_ATTACHMENT_MAX_BYTES),
            }),
      assertPrices: (snapshot) => assertPrices(host, credentials, snapshot),
      knowledge: async (bases) => {
        const [{ openDocuments }, { prepareSessionKnowledge }] = await Promise.all([
          import('./open-documents.js'),
          import('./knowledge.js'),
        ]);
        documents ??= openDocuments();
        return prepareSessionKnowledge(session, { files: deps.files, ...documents }, bases);
      },
      headCommit: async () => (await import('./head-commit.js')).headCommit(workspace.root, parts.env),
      askVersion,
      holdsSecret: lazySecretsFinder({ root: workspace.root, lookup: references.lookup, ...known }, parts, credentials),
      findReferences: lazyFindReferences({
        clock: parts.clock,
        lookup: references.lookup,
        env: parts.env,
        files: deps.files,
        workspaceRoot: workspace.root,
        entry: (ref) => workspace.credentials.get(ref) ?? null,
        servers: workspace.servers,
        plugins: host,
      }),
    },
  };
  return session;
}

/** Few packs ask for a version. */
function lazyAskVersion({ env, clock }: Pick<SessionParts, 'env' | 'clock'>): AskVersion {
  let made: Promise<AskVersion> | undefined;
  const make = async (): Promise<AskVersion> => {
    const [{ createAskVersion }, { childEnvironment }] = await Promise.all([
      import('../system/program-version.js'),
      import('../system/child-env.js'),
    ]);
    return createAskVersion({ clock, env: childEnvironment(env) });
  };
  return async (binary) => {
    made ??= make();
    return (await made)(binary);
  };
}

/** A run that calls nobody refers to nothing. */
function lazyFindReferences(places: ReferencePlaces): FindReferences {
  let made: Promise<FindReferences> | undefined;
  return async (references) => {
    if (references.length === 0) return [];
    made ??= import('./find-references.js').then(({ createFindReferences }) => createFindReferences(places));
    return (await made)(references);
  };
}

/** Finds secrets in what people send; most processes take no input of a run, and load nothing. */
function lazySecretsFinder(
  known: KnownWorkspace,
  { env, log }: KnownSecretsDeps,
  { masker: resolved }: Pick<CredentialService, 'masker'>,
): (text: string) => Promise<boolean> {
  let finder: Promise<(text: string) => Promise<boolean>> | undefined;
  return async (text) => {
    finder ??= import('./known-secrets.js').then(({ secretsFinder }) => secretsFinder(known, { env, log, resolved }));
    return (await finder)(text);
  };
}
