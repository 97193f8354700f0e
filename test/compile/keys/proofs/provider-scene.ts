import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Documents } from '../../../support/shows-effect.js';
import { AGENTS } from './agent-scene.js';

/** One agent without tools; its provider is the first file of the kind. */
export const PROVIDERS: Documents = Object.fromEntries(
  Object.entries(AGENTS)
    .filter(([path]) => !path.startsWith('skills/'))
    .map(([path, document]) =>
      path === 'topologies/main.json'
        ? [path, { ...document, agents: { root: { id: 'root', role: 'root', archetype: 'first' } } }]
        : [path, document],
    ),
);

/** Id of the provider of `CODED_PROVIDERS`. */
export const CODED = 'coded';

/** The same agent, answered by a provider that workspace.yaml configures. */
export const CODED_PROVIDERS: Documents = Object.fromEntries(
  Object.entries(PROVIDERS).map(([path, document]) => {
    if (path === 'workspace.json')
      return [
        path,
        {
          ...document,
          model_providers: [
            { class: 'openai-compatible', provider_id: CODED, config: { base_url: '${MODEL_URL}/v1' } },
          ],
        },
      ];
    if (path === 'archetypes/first.json')
      return [path, { ...document, defaults: { model: { provider: CODED, name: 'm-1' } } }];
    return [path, document];
  }),
);

export const IMAGE = 'images/dot.png';

/** The smallest PNG: one pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export async function putImage(directory: string): Promise<void> {
  await mkdir(join(directory, 'images'), { recursive: true });
  await writeFile(join(directory, IMAGE), Buffer.from(PNG, 'base64'));
}
