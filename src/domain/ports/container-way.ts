import type { ContainerMount } from '../container-command.js';
import type { AllowedHost } from '../egress-hosts.js';
import type { OutboundAddresses } from './outbound.js';

/** What became of a request of a container for a host. */
export interface HostAnswer {
  /** '' where none was named. */
  readonly host: string;
  /** 0 where none was named. */
  readonly port: number;
  readonly answer: 'allowed' | 'refused';
  /** Why not; '' with `allowed`. */
  readonly reason: string;
}

/** The way of one container to hosts, which is open until it is closed. */
export interface ContainerWay {
  /** Folder of the machine that the container has to have; it is private to its user. */
  readonly mount: ContainerMount;
  /**
   * Stands before the command in the container, whose image needs Node.js 20: it runs the command,
   * which finds a proxy at `HTTPS_PROXY`.
   */
  readonly behind: readonly string[];
  /** Ends whatever is open, and removes the folder. */
  close(): Promise<void>;
}

export interface ContainerWayRequest {
  /** Reached over TLS, and nothing else is. */
  readonly allow: readonly AllowedHost[];
  /** What a host may be called at. */
  readonly addressesOf: OutboundAddresses;
  /** Called with each answer: a connection goes on when it resolves, and ends when it rejects. */
  readonly onAnswer: (answer: HostAnswer) => Promise<void>;
  /** Who works in the container, where that is not who runs kit. */
  readonly user?: { readonly uid: number; readonly gid: number };
}
