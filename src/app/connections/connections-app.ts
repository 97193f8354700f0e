/** What a remote MCP server says of how clients log in. */
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

/** Connections to servers elsewhere. */
export interface ConnectionsApp {
  /**
   * Asks a remote MCP server whether it speaks OAuth, and where its authorization server is; reads
   * and writes nothing here. What does not answer, or answers something else, is not supported.
   * Throws KIT_OUTBOUND_REFUSED for an address that kit does not call.
   */
  probe(ask: { readonly workspace: string; readonly endpoint: string }): Promise<OAuthProbe>;
}
