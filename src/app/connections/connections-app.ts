import type {
  BegunLogin,
  BrowserLoginAsk,
  DeviceCode,
  LoginAsk,
  OAuthProbe,
  RemovedLogin,
  StoredLogin,
} from '../../domain/ports/credential-source.js';
import type { AgentProbe, CredentialReport, RemoteAgentEntry } from '../../view/schemas/connection.js';

/** Who logs in for what. */
export interface LoginStart extends Pick<LoginAsk, 'owner' | 'scopes' | 'clientId'> {
  readonly workspace: string;
  /** Entry of `credentials`; one that is not there yet needs an `endpoint`. */
  readonly credential: string;
  /** Null: `config.endpoint` of the entry. */
  readonly endpoint: string | null;
  /** Entry of `credentials` that holds the secret of that client; null = it has none. */
  readonly clientSecretRef: string | null;
}

/** A login through a browser. */
export type BrowserLoginStart = LoginStart & Omit<BrowserLoginAsk, keyof LoginAsk>;

/**
 * Connections to servers elsewhere. Each throws KIT_OUTBOUND_REFUSED for an address that kit does
 * not call, KIT_LOGIN_FAILED for what the provider is or says, KIT_VAULT_* for what is kept.
 */
export interface ConnectionsApp {
  /**
   * Asks a remote MCP server whether it speaks OAuth, and where its authorization server is; reads
   * and writes nothing here. What does not answer, or answers something else, is not supported.
   */
  probe(ask: { readonly workspace: string; readonly endpoint: string }): Promise<OAuthProbe>;
  /**
   * Reads the Agent Card at an address, without a credential, within 20 s; writes nothing. What is
   * no card, or sends messages elsewhere, is not supported. `anywhere`: a directory without a
   * workspace will do. Throws KIT_OUTBOUND_REFUSED, else KIT_WORKSPACE_NOT_FOUND.
   */
  probeAgent(ask: {
    readonly workspace: string;
    readonly cardUrl: string;
    readonly anywhere?: boolean;
  }): Promise<AgentProbe>;
  /**
   * Agents that skills of the workspace call, by id. Throws KIT_WORKSPACE_NOT_FOUND,
   * KIT_WORKSPACE_INVALID.
   */
  agents(ask: { readonly workspace: string }): Promise<readonly RemoteAgentEntry[]>;
  /** Throws KIT_CREDENTIAL_UNKNOWN without an endpoint, KIT_LOGIN_FAILED for another one. */
  begin(start: BrowserLoginStart): Promise<BegunLogin>;
  /** `query`: what the provider sent the browser back with. Throws KIT_LOGIN_STATE. */
  finish(answer: {
    readonly workspace: string;
    readonly query: string;
    readonly binding: string | null;
  }): Promise<StoredLogin>;
  /** For machines without a browser; `show` is told once what to type in elsewhere. */
  device(start: LoginStart, show: (code: DeviceCode) => void): Promise<StoredLogin>;
  /** Everybody's logins, by credential and owner. */
  logins(workspace: string): Promise<readonly StoredLogin[]>;
  /** Every credential of the workspace. */
  credentials(workspace: string): Promise<readonly CredentialReport[]>;
  remove(ask: {
    readonly workspace: string;
    readonly credential: string;
    readonly owner: string;
  }): Promise<RemovedLogin>;
  /**
   * Encrypts everything that is kept with the newest key. `source`: where the key is from; null =
   * nothing was ever kept. Throws KIT_VAULT_*.
   */
  rotateKey(workspace: string): Promise<{ readonly rows: number; readonly source: string | null }>;
}
