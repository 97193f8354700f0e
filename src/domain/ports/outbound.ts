/** What bounds one request to an address that somebody else chose. */
export interface OutboundBounds {
  /** From the call to the last byte; of a stream to its headers. Default 20,000. */
  readonly timeoutMs: number;
  /** Bytes of the body; more reject the read with KIT_OUTBOUND_FAILED. Default 1 MiB. */
  readonly maxBytes: number;
  /** Hops that are followed. Default 3; 0 answers the redirect itself. */
  readonly maxRedirects: number;
  /** A body without an end: neither its time nor its bytes are bounded here. Default false. */
  readonly isStream: boolean;
}

/** One request. `GET` when no method is named. */
export interface OutboundInit extends Partial<OutboundBounds> {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

/**
 * The one way to call an address that a file, a caller or a peer names: agent cards, probes,
 * metadata of OAuth, skill catalogues. Every hop is resolved once, checked, and connected to at the
 * checked address, so that a name which resolves anew leads nowhere else. Link-local and metadata
 * addresses are never called. Redirects are followed for GET and HEAD; one to another origin loses
 * `authorization` and `cookie`. Nothing but the identity encoding is asked for or read. Whoever
 * does not read the body cancels it. `url` of the response is where it came from.
 *
 * Throws KIT_OUTBOUND_REFUSED (scheme, address, redirect) before anything is sent there, and
 * KIT_OUTBOUND_FAILED (no connection, silence, too many bytes) with `data.isSent`: false when not a
 * byte of the request can have arrived.
 */
export type OutboundFetch = (url: string, init?: OutboundInit) => Promise<Response>;

/** An address that may be connected to. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * The addresses of a host that something in a container may be let through to, resolved here:
 * public ones, and private ones that `server.outbound.allow` names; never this machine, whoever
 * asks. Throws KIT_OUTBOUND_REFUSED when none of them may be called, KIT_OUTBOUND_FAILED when the
 * name has none.
 */
export type OutboundAddresses = (host: string) => Promise<readonly CheckedAddress[]>;

/** Which addresses beside public ones may be called. */
export interface OutboundRules {
  /**
   * Whoever asks sits at this machine: a command line, or a server bound to loopback. Loopback and
   * private addresses are called then.
   */
  readonly isLocal: boolean;
  /** `server.outbound.allow`: host names, addresses and CIDR ranges that may be private. */
  readonly allow: readonly string[];
}
