import type { JsonObject, PluginContext } from '@kit-run/kit/plugin';
import { defineArtifactStore, KitError } from '@kit-run/kit/plugin';

/**
 * kit shows the sentence of this error to people. It quotes neither what was sent nor what was
 * answered: a token may stand in both.
 */
const failed = (sentence: string) =>
  new KitError('KIT_ARTIFACT_STORE', sentence, { hint: 'Check storage.artifacts.config.url and STORE_TOKEN.' });

/** @param config `storage.artifacts.config` */
function create(config: JsonObject, plugin: PluginContext) {
  async function ask(method: 'PUT' | 'GET', sha256: string, body?: Uint8Array<ArrayBuffer>) {
    const headers = { authorization: `Bearer ${plugin.secrets.env('STORE_TOKEN') ?? ''}` };
    const init = { method, headers, signal: plugin.signal, ...(body === undefined ? {} : { body }) };
    const response = await plugin.fetch(`${config.url}/${sha256}`, init).catch(() => null);
    if (response === null) throw failed('the artifact store cannot be reached');
    if (!response.ok && response.status !== 404) throw failed(`the artifact store answered ${response.status}`);
    return response;
  }

  return {
    /** Returns once the bytes are durable. The server must show them whole or not at all. */
    async put(sha256: string, bytes: Uint8Array<ArrayBuffer>) {
      const response = await ask('PUT', sha256, bytes);
      if (!response.ok) throw failed('the artifact store took nothing: there is no such place');
    },

    /** Null only where the server says that nothing is kept under this digest. */
    async get(sha256: string) {
      const response = await ask('GET', sha256);
      if (response.status === 404) return null;
      const bytes = await response.arrayBuffer().catch(() => null);
      if (bytes === null) throw failed('the answer of the artifact store broke off');
      return new Uint8Array(bytes);
    },
  };
}

/** Artifact store `sample-name`. */
export const contribution = defineArtifactStore({ create });
