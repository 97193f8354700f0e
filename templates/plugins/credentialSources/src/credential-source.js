import { defineCredentialSource, KitError } from '@kit-run/kit/plugin';

/** @import { JsonObject, PluginContext } from '@kit-run/kit/plugin' */

/**
 * kit shows the sentence of this error to people; of any other error it shows nothing, because that
 * may quote a request or an answer.
 * @param {string} sentence
 */
const unresolved = (sentence) => new KitError('KIT_CREDENTIAL_UNRESOLVED', sentence);

/**
 * @param {JsonObject} _config always {}: what a credential needs stands in its own `config`
 * @param {PluginContext} plugin
 */
function create(_config, plugin) {
  /**
   * Fetched at the moment it is needed and kept nowhere. Throws with a sentence that names what is
   * missing, never with a value.
   * @param {string} name the entry under `credentials` of workspace.yaml
   * @param {JsonObject} config of that entry
   * @returns {Promise<string>}
   */
  async function resolve(name, config) {
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
    const answer = await response.json().catch(() => null);
    if (typeof answer?.value !== 'string' || answer.value === '')
      throw unresolved(`the vault holds nothing under ${name}`);
    return answer.value;
  }

  return { resolve };
}

/** Credential source `sample-name`. */
export const contribution = defineCredentialSource({ create });
