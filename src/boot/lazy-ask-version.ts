import type { AskVersion } from '../domain/ports/programs.js';
import type { SessionParts } from './parts.js';

/** Few packs ask for a version. */
export function lazyAskVersion({ env, clock }: Pick<SessionParts, 'env' | 'clock'>): AskVersion {
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
