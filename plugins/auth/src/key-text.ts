import { KitError } from '@kit-run/kit/command';

/** What `kit auth token` is asked for. */
export interface KeyRequest {
  readonly clientId: string;
  /** Null: the client id. */
  readonly clientName: string | null;
  readonly tier: string;
  /** Null: made of the client id. */
  readonly variable: string | null;
}

/** An entry of `server.auth.config.keys`, and the variable that it refers to. */
export interface KeyEntry {
  readonly variable: string;
  readonly yaml: {
    readonly key_ref: string;
    readonly client_id: string;
    readonly client_name?: string;
    readonly tier: string;
  };
}

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `ops-lead` is kept in OPS_LEAD_TOKEN; a name of a variable does not begin with a digit. */
const variableOf = (clientId: string): string =>
  `${clientId
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')}_TOKEN`.replace(/^(?=[0-9_])/, 'CALLER_');

/** Throws KIT_USAGE for names that could not be written or shown. */
export function keyEntry({ clientId, clientName, tier, variable }: KeyRequest): KeyEntry {
  const name = clientName ?? clientId;
  for (const [what, text] of [
    ['client id', clientId],
    ['client name', name],
  ] as const)
    if (text.trim() === '' || /[\p{Cc}\p{Cf}]/u.test(text))
      throw new KitError('KIT_USAGE', `a ${what} must have visible characters only`, {
        hint: 'Run `kit auth token alice --tier run`, for example.',
      });
  const chosen = variable ?? variableOf(clientId);
  if (!VARIABLE.test(chosen))
    throw new KitError('KIT_USAGE', `${JSON.stringify(chosen)} is not the name of an environment variable`, {
      hint: 'Pass --env-var ALICE_TOKEN, for example.',
    });
  return {
    variable: chosen,
    yaml: { key_ref: `env:${chosen}`, client_id: clientId, ...(name === clientId ? {} : { client_name: name }), tier },
  };
}

/**
 * What a person does next, with the secret in it once. Values are written as JSON, which is YAML as
 * well.
 */
export function keyText({ variable, yaml }: KeyEntry, secret: string): readonly string[] {
  const [first, ...rest] = Object.entries(yaml).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return [
    '# 1. Where the server is started. The secret is shown this once; kit does not store it.',
    `export ${variable}=${secret}`,
    '',
    '# 2. workspace.yaml; where `keys` is there already, add the entry to its list:',
    'server:',
    '  auth:',
    '    provider: api_key',
    '    config:',
    '      keys:',
    `        - ${first ?? ''}`,
    ...rest.map((line) => `          ${line}`),
    '',
    '# 3. Restart `kit serve`: a reload does not change who may call.',
    '# 4. A person pastes the secret at http://127.0.0.1:8000/console, or in `kit auth login http://127.0.0.1:8000`.',
    '#    A program sends it:',
    `curl -H "Authorization: Bearer $${variable}" http://127.0.0.1:8000/whoami`,
  ];
}
