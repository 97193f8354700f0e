import { isSameEndpoint } from '../../domain/consent.js';
import { isKitError, KitError } from '../../domain/errors.js';
import type { PluginHost } from '../../domain/extension-points.js';
import { hintForSource } from '../../domain/missing-contribution.js';
import type { CredentialLogins, LoginAsk } from '../../domain/ports/credential-source.js';
import type { Workspace } from '../../domain/workspace.js';
import { hintFor } from '../../lib/nearest.js';
import type { CredentialReport } from '../../view/schemas/connection.js';
import type { ConnectionsApp, LoginStart } from './connections-app.js';

/** The credential source whose logins these are. */
const OAUTH = 'oauth';

/** An opened workspace, as far as logins need it. */
export interface ConnectionsSession {
  readonly workspace: Pick<Workspace, 'credentials'>;
  readonly plugins: Pick<PluginHost, 'find' | 'resolve'>;
  readonly credentials: {
    credential(ref: string): Promise<string>;
    /** `${NAME}` in the configuration of an entry. */
    render(text: string, allowedRefs: readonly string[]): Promise<string>;
  };
}

export interface ConnectionsDeps {
  readonly session: (workspace: string) => Promise<ConnectionsSession>;
  readonly rotateKey: ConnectionsApp['rotateKey'];
  readonly probeAgent: ConnectionsApp['probeAgent'];
  readonly agents: ConnectionsApp['agents'];
}

export function createConnectionsApp({ session, ...alone }: ConnectionsDeps): ConnectionsApp {
  const logins = async (workspace: string): Promise<CredentialLogins> => loginsOf(await session(workspace));
  return {
    probe: async ({ workspace, endpoint }) => (await logins(workspace)).probe(endpoint),
    begin: async (start) => {
      const opened = await session(start.workspace);
      const { redirectUri, clientMetadataUrl, binding } = start;
      const ask = await askOf(opened, start);
      return (await loginsOf(opened)).begin({ ...ask, redirectUri, clientMetadataUrl, binding });
    },
    finish: async ({ workspace, query, binding }) => (await logins(workspace)).finish({ query, binding }),
    device: async (start, show) => {
      const opened = await session(start.workspace);
      return (await loginsOf(opened)).device(await askOf(opened, start), show);
    },
    logins: async (workspace) => (await logins(workspace)).list(),
    credentials: async (workspace) => reports(await session(workspace)),
    remove: async ({ workspace, credential, owner }) => (await logins(workspace)).remove(credential, owner),
    ...alone,
  };
}

async function loginsOf({ plugins }: ConnectionsSession): Promise<CredentialLogins> {
  const source = plugins.find('credentialSources', OAUTH);
  const { logins } = source === null ? {} : await plugins.resolve('credentialSources', OAUTH, {});
  if (logins !== undefined) return logins;
  throw new KitError('KIT_CREDENTIAL_UNRESOLVED', 'no installed plugin brings logins at servers elsewhere', {
    hint: hintForSource(OAUTH),
  });
}

/** What the entry of the workspace says, with what the caller adds to it. */
async function askOf(
  { workspace, credentials }: ConnectionsSession,
  { credential, endpoint, owner, scopes, clientId, clientSecretRef }: LoginStart,
): Promise<LoginAsk> {
  const entry = workspace.credentials.get(credential);
  if (entry !== undefined && entry.source !== OAUTH)
    throw new KitError('KIT_LOGIN_FAILED', `the credential ${credential} has the source ${entry.source}, not oauth`);
  const written =
    typeof entry?.config.endpoint === 'string' ? await credentials.render(entry.config.endpoint, []) : null;
  const wanted = endpoint ?? written;
  if (wanted === null)
    throw new KitError('KIT_CREDENTIAL_UNKNOWN', `nothing says which server the credential ${credential} is for`, {
      hint: hintFor(credential, workspace.credentials.keys(), {
        fallback: `Write config.endpoint of ${credential} in workspace.yaml, or give the endpoint.`,
      }),
    });
  if (written !== null && !isSameEndpoint(written, wanted))
    throw new KitError('KIT_LOGIN_FAILED', `the workspace names another endpoint for the credential ${credential}`, {
      hint: 'Leave the endpoint out, or change config.endpoint first.',
    });
  const clientSecret = clientSecretRef === null ? null : await credentials.credential(clientSecretRef);
  if (clientSecret !== null && clientId === null)
    throw new KitError('KIT_LOGIN_FAILED', 'a client secret was given without the id of its client');
  return { credential, owner, endpoint: wanted, scopes, clientId, clientSecret };
}

/** The value of each is dropped where it comes. */
async function reports(opened: ConnectionsSession): Promise<readonly CredentialReport[]> {
  const { workspace, credentials } = opened;
  const hasLogins = [...workspace.credentials.values()].some(({ source }) => source === OAUTH);
  const stored = hasLogins ? await (await loginsOf(opened)).list() : [];
  const looked = [...workspace.credentials].map(async ([credential, { source }]): Promise<CredentialReport> => {
    const problem = await credentials.credential(credential).then(
      () => null,
      (error: unknown) => (isKitError(error) ? error.message : 'it could not be resolved'),
    );
    const logins = source === OAUTH ? stored.filter((login) => login.credential === credential) : [];
    return { credential, source, resolves: problem === null, problem, logins };
  });
  const known = await Promise.all(looked);
  return known.sort((a, b) => (a.credential < b.credential ? -1 : 1));
}
