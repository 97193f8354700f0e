import { pointerTo } from '../../lib/pointer-to.js';
import type { Linked } from '../link/link-workspace.js';
import { objectAt, objectsAt, textAt } from '../read.js';
import type { Report } from '../report.js';

/** What of an address keeps every call from working; null = nothing, or it is no address yet. */
function flawOf(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const { username, password, search, hash } = new URL(text);
  if (username !== '' || password !== '') return 'a user or password';
  if (search !== '') return 'a query';
  return hash === '' ? null : 'a fragment';
}

/**
 * Paths are appended to `base_url`, and no call takes a user and password from there: each run
 * would fail, and its error, log and store would hold what was written as a secret.
 */
export function checkBaseUrls({ registries: { config, providers } }: Linked, report: Report): void {
  const help = 'name the variable that holds the key as `auth.api_key_env`, and leave the address bare';
  const places = [
    ...[...providers.values()].map((artifact) => ({
      artifact,
      pointer: '/spec/base_url',
      text: textAt(objectAt(artifact.value, 'spec'), 'base_url'),
    })),
    ...objectsAt(config.value, 'model_providers').map((entry, index) => ({
      artifact: config,
      pointer: pointerTo('/model_providers', index, 'config', 'base_url'),
      text: textAt(objectAt(entry, 'config'), 'base_url'),
    })),
  ];
  for (const { artifact, pointer, text } of places) {
    const flaw = flawOf(text);
    if (flaw === null) continue;
    report.add(
      { artifact, pointer },
      { code: 'provider.config-invalid', message: `\`base_url\` holds ${flaw}, with which no call can be made`, help },
    );
  }
}
