import type { JsonObject, PluginContext } from '@kit-run/kit/plugin';
import { defineCredentialSource, KitError } from '@kit-run/kit/plugin';

/**
 * kit shows the sentence of this error to people; of any other error it shows nothing, because that
 * may quote a request or an answer.
 */
const unresolved = (sentence: string) => new KitError('KIT_CREDENTIAL_UNRESOLVED', sentence);

/** @param _config always {}: what a credential needs stands in its own `config` */
function create(_config: JsonObject, plugin: PluginContext) {
  /**
   * Fetched at the moment it is needed and kept nowhere. Throws with a sentence that names what is
   * missing, never with a value.
   * @param name the entry under `credentials` of workspace.yaml
   * @param config of that entry
   */
  async function resolve(name: string, config: JsonObject): Promise<string> {
    const token = plugin.secrets.env('VAULT_TOKEN');
    if (token === null) throw unresolved(`credential ${name} needs the environment variable VAULT_TOKEN`);
    if (typeof config.url !== 'string') throw unresolved(`credential ${name} has no config.url`);
    const response = await plugin
      .fetch(`${config.url}/secrets/${encodeURIComponent(name)}`, {
        headers: { 'x-vault-token': token },
        signal: plugin.signal,
      })
      .catch(() => null);
    if (response === null) throw unresolved(`the vault cannot be reached for credential ${name}`);
    if (!response.ok) throw unresolved(`the vault gives no credential ${name}: status ${response.status}`);
    const answer = (await response.json().catch(() => null)) as { value?: unknown } | null;
    if (typeof answer?.value !== 'string' || answer.value === '')
      throw unresolved(`the vault holds nothing under ${name}`);
    return answer.value;
  }

  return { resolve };
}

/** Credential source `sample-name`. */
export const contribution = defineCredentialSource({ create });
