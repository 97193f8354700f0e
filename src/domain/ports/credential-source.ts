import type { JsonObject } from '../json.js';

/** A credential of a workspace that something is about to use. */
export interface CredentialUse {
  readonly name: string;
  /** `config` of its entry. */
  readonly config: JsonObject;
}

/** What a server says of how its clients log in. */
export type OAuthProbe =
  | {
      readonly isSupported: true;
      readonly issuer: string;
      readonly authorizationEndpoint: string;
      /** Of the server, else of its authorization server; [] = neither says. */
      readonly scopes: readonly string[];
      /** Clients may register themselves. */
      readonly supportsRegistration: boolean;
    }
  | { readonly isSupported: false; readonly detail: string };

/** A login that is kept; nothing of it is secret. Times are ISO 8601. */
export interface StoredLogin {
  readonly credential: string;
  readonly owner: string;
  /** Issuer of the token; null where it cannot be read. */
  readonly provider: string | null;
  readonly endpoint: string | null;
  readonly scopes: readonly string[];
  /** Of the access token; null = nobody said. */
  readonly expiresAt: string | null;
  /** 0 = it has ended. */
  readonly secondsRemaining: number | null;
  /** It ends within 120 s, or has ended. */
  readonly isExpired: boolean;
  readonly hasRefreshToken: boolean;
  readonly refreshedAt: string | null;
  /** When a person has to log in again, as far as it is known. */
  readonly endsAt: string | null;
  readonly endsSoon: 'week' | 'day' | null;
  /** Why it cannot be used: the provider refused it, or its row cannot be read; null = it can. */
  readonly flaw: string | null;
}

/** What a login is for, and what of a client is known. */
export interface LoginAsk {
  readonly credential: string;
  readonly owner: string;
  /** Address of the server that the token is for. */
  readonly endpoint: string;
  /** Null: what the server asks for. */
  readonly scopes: readonly string[] | null;
  /** Null: the client registers itself. */
  readonly clientId: string | null;
  readonly clientSecret: string | null;
}

/** A login through a browser. */
export interface BrowserLoginAsk extends LoginAsk {
  readonly redirectUri: string;
  /** https address of our client metadata document; null = there is none. */
  readonly clientMetadataUrl: string | null;
  /** What the callback has to bring along: a text that only this browser knows. */
  readonly binding: string;
}

/** Where a person is sent. */
export interface BegunLogin {
  readonly authorizationUrl: string;
  readonly state: string;
}

/** What a person types in elsewhere. */
export interface DeviceCode {
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete: string | null;
  readonly expiresInS: number;
}

export interface RemovedLogin {
  readonly isDeleted: boolean;
  readonly isRevokedUpstream: boolean;
  readonly detail: string;
}

/**
 * Logins of people at a provider. Refusals: KIT_LOGIN_FAILED (what the provider is or says),
 * KIT_LOGIN_STATE (a callback that belongs to no login), KIT_OUTBOUND_REFUSED, KIT_VAULT_*.
 */
export interface CredentialLogins {
  probe(endpoint: string): Promise<OAuthProbe>;
  begin(ask: BrowserLoginAsk): Promise<BegunLogin>;
  /** `query`: what the provider sent the browser back with. */
  finish(answer: { readonly query: string; readonly binding: string | null }): Promise<StoredLogin>;
  /** For machines without a browser; `show` is told once what to type in. */
  device(ask: LoginAsk, show: (code: DeviceCode) => void): Promise<StoredLogin>;
  list(): Promise<readonly StoredLogin[]>;
  remove(credential: string, owner: string): Promise<RemovedLogin>;
}

/** What a server said to somebody with a credential: 401 or 403. */
export interface Refusal {
  readonly status: number;
  /** The header `WWW-Authenticate`; null = there is none. */
  readonly challenge: string | null;
  /** Whether the request carried this value. */
  readonly carried: (value: string) => boolean;
}

/**
 * Turns the name of a credential into its value, at the moment it is needed; the value is never
 * stored by who asks.
 */
export interface CredentialSource {
  /** Throws with a sentence that names what is missing; never with a value. */
  resolve(name: string, config: JsonObject): Promise<string>;
  /**
   * Before each claim of a run: makes sure that these hold for `windowS` seconds, as far as that
   * can be had; never called in mid-run. `owner`: whose value is meant where the entry does not
   * say; null = that of whoever is the only one. Throws KIT_CONSENT_REQUIRED naming credential and
   * owner, which is not tried again.
   */
  prepare?(
    uses: readonly CredentialUse[],
    of: { readonly owner: string | null; readonly windowS: number },
  ): Promise<void>;
  /**
   * A server did not take the value in the middle of a run. Throws KIT_CREDENTIAL_EXPIRED or
   * KIT_CONSENT_REQUIRED, naming credential and owner, where a person has to log in: the run ends
   * with it. True: the value is another one by now, because another process has refreshed it, so
   * that call is made once more with it. Else the refusal is the failure of that one call.
   */
  refused?(use: CredentialUse, refusal: Refusal): Promise<boolean>;
  /** Everybody's login for this credential. */
  status?(name: string): Promise<readonly StoredLogin[]>;
  readonly logins?: CredentialLogins;
}
