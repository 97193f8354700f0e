import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { FetchText } from '../app/skills/catalogue/sources.js';
import type { SkillsDeps } from '../app/skills/create-skills-app.js';
import type { SkillsApp } from '../app/skills/skills-app.js';
import type { OutboundFetch } from '../domain/ports/outbound.js';
import { PROCESS_LEASE } from '../worker/tool-servers.js';
import type { AppParts, OpenedEditing, Runs } from './parts.js';

/** What skills take beside the files of a workspace. */
export interface SkillsParts {
  readonly runs: Pick<Runs, 'session' | 'observe'>;
  readonly fetchOf: (workspace: string) => OutboundFetch;
  /** Throws KIT_NOT_READY where nothing serves. */
  readonly reload: SkillsDeps['reload'];
  readonly isServing: () => boolean;
}

/** Where this user's copies lie (XDG_CACHE_HOME). */
const cacheDir = (env: NodeJS.ProcessEnv): string =>
  env.XDG_CACHE_HOME ? join(env.XDG_CACHE_HOME, 'kit') : join(env.HOME || homedir(), '.cache', 'kit');

const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** Wires the use cases of skills and the catalogue. */
export async function openSkills(parts: AppParts, around: SkillsParts & OpenedEditing): Promise<SkillsApp> {
  const [{ createSkillsApp }, { createClock }] = await Promise.all([
    import('../app/skills/create-skills-app.js'),
    import('../system/clock.js'),
  ]);
  const { env, settings, plugins } = parts;
  const { deps, alone, fetchOf, isServing, runs } = around;
  const clock = createClock();
  const named = env.KIT_SKILLS_CATALOGUE || null;
  const setting = named === null || isUrl(named) ? named : resolve(settings.cwd, named);
  return createSkillsApp({
    ...deps,
    alone,
    // On the command line there is nobody to tell.
    reload: async (workspace) => (isServing() ? around.reload(workspace) : { valid: false, errors: [] }),
    sources: (workspace) => ({
      files: deps.compile.files,
      edits: deps.edits,
      fetchText: textOf(fetchOf(workspace ?? settings.cwd)),
      now: clock.now,
      cacheDir: cacheDir(env),
      setting,
      bundledFile: join(plugins.packageRoot, 'dist', 'catalogue.json'),
    }),
    openCheck: async (workspace) => openCheck(await runs.session(workspace)),
  });
}

const textOf =
  (fetchOf: OutboundFetch): FetchText =>
  async (url) => {
    const response = await fetchOf(url);
    return { status: response.status, text: await response.text() };
  };

/** Servers of their own, closed after the look. */
function openCheck(session: Awaited<ReturnType<SkillsParts['runs']['session']>>): ReturnType<SkillsDeps['openCheck']> {
  const { workspace, credentials, openServers } = session;
  const { toolServer, closeServers } = openServers();
  return Promise.resolve({
    skills: [...workspace.skills.values()],
    servers: workspace.servers,
    open: (server) => toolServer(server, PROCESS_LEASE, ''),
    mask: (text) => credentials.masker.mask(text),
    close: () => closeServers(),
  });
}
