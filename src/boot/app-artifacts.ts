import type { ArtifactsApp } from '../app/artifacts/artifacts-app.js';
import type { ArtifactsDeps } from '../app/artifacts/create-artifacts-app.js';

/** Wires the use cases around artifacts; every part is imported when it is first used. */
export function createArtifacts(deps: () => Promise<ArtifactsDeps>): ArtifactsApp {
  let built: Promise<ArtifactsApp> | undefined;
  const app = (): Promise<ArtifactsApp> => (built ??= build(deps));
  return {
    list: async (ask) => (await app()).list(ask),
    get: async (ask) => (await app()).get(ask),
  };
}

async function build(deps: () => Promise<ArtifactsDeps>): Promise<ArtifactsApp> {
  const { createArtifactsApp } = await import('../app/artifacts/create-artifacts-app.js');
  return createArtifactsApp(await deps());
}
