import type { ContainerOwner } from '../container-owner.js';
import type { AllowedHost } from '../egress-hosts.js';
import type { Json, JsonObject } from '../json.js';
import type { ContainerWay, ContainerWayRequest } from './container-way.js';
import type { Refusal } from './credential-source.js';
import type { DocumentPart } from './model.js';
import type { Clock, Log, ProcessSpec, SupervisedProcess } from './system.js';

/** A tool as its server lists it. */
export interface ServerTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null;
  /**
   * What the server says of the tool's effects; null = nothing. A hint: what the workspace declares
   * comes first (docs/design/execution.md#effects).
   */
  readonly hints: {
    readonly readOnly: boolean | null;
    readonly destructive: boolean | null;
    readonly idempotent: boolean | null;
  };
}

/** A piece of what a tool answered. Bytes are base64. */
export type ToolPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly data: string }
  | DocumentPart
  /** Anything else that a server may send: audio, a resource or a link to one. */
  | { readonly type: 'other'; readonly kind: string; readonly uri: string | null; readonly text: string | null };

/** What a call came to. `isError`: the tool says that it failed, which is an answer. */
export interface ToolAnswer {
  readonly parts: readonly ToolPart[];
  readonly structured: Json | null;
  readonly isError: boolean;
  /**
   * What the server says that the call cost, in USD; null: it says something that is not an amount
   * of 0 or more, so the cost is unknown. Absent: it says nothing, and the call counts as free. It
   * counts towards `max_cost_per_run_usd` like the cost of a model call.
   */
  readonly costUsd?: number | null;
}

export interface ServerCall {
  readonly tool: string;
  readonly input: JsonObject;
  /** The same on each attempt: sent as `_meta`, so that an effect can be recognised as done. */
  readonly stepId: string;
  readonly traceParent: string | null;
  readonly timeoutMs: number;
  /** Largest answer that is read, in bytes; more is an error of this one call. */
  readonly maxBytes: number;
  readonly onProgress?: (progress: {
    readonly done: number;
    readonly total: number | null;
    readonly message: string | null;
  }) => void;
}

/**
 * A server that is up. One connection serves every caller: identity and cancellation go with the
 * call.
 */
export interface ToolServer {
  /** As the server lists them now; told again after it said that they changed. */
  tools(): Promise<readonly ServerTool[]>;
  /**
   * Connects anew when the session is gone, once, and only before the call was sent. Throws
   * KIT_TOOL_CALL_FAILED (`data.sent`: whether the server may have done it; `data.down` as for
   * `open`), never hangs beyond `timeoutMs`; an abort is told to the server.
   */
  call(call: ServerCall, signal: AbortSignal): Promise<ToolAnswer>;
  /** Idempotent; its processes are over when it resolves. */
  close(): Promise<void>;
}

/** Opens the way of the server of this id to hosts. */
export type OpenServerWay = (
  server: string,
  to: Pick<ContainerWayRequest, 'user'> & { readonly allow: readonly AllowedHost[] },
) => Promise<ContainerWay>;

/** What kit gives to whoever opens a server. */
export interface ToolServerContext {
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly clock: Clock;
  /** The allowlisted environment of any child process, without secrets. */
  readonly env: Readonly<Record<string, string>>;
  readonly workspaceRoot: string;
  /** Whose containers are those of this process; absent: nobody looks for what another one left. */
  readonly containerOwner?: ContainerOwner;
  /**
   * Opens the way of a server in a container to hosts; what it asks for is logged. Absent: there is
   * none.
   */
  readonly openWay?: OpenServerWay;
  /**
   * Starts a child: under the lease of the run whose server it is, or as long as the process where
   * servers are shared (`kit serve`).
   */
  spawn(spec: ProcessSpec, stop?: AbortSignal): SupervisedProcess;
}

/**
 * Called with what a server said to a credential. True: another value is there by now, and the same
 * request is made once more, with it; what comes back then is reported like the answer to any other
 * value.
 */
export type RefusalHandler = (answer: Refusal) => Promise<boolean>;

/** Opens the servers of one kind; the instance behind the point `toolSources`. */
export interface ToolSource {
  /**
   * Starts or reaches a server and lists its tools. `settings` gives its configuration with every
   * reference resolved, at the moment it is asked: it is asked again for each new connection (over
   * HTTP for each request), and its values are kept nowhere. For a sandboxed server it also holds
   * `container_runtime` (KIT_CONTAINER_RUNTIME) and, where no image is written, `sandbox_image`
   * (KIT_SANDBOX_IMAGE). Throws KIT_TOOL_SERVER_FAILED (`data.reason`, and the last eight lines of
   * stderr in `data.stderr`, which the caller masks, like what a server says in other messages),
   * and KIT_TOOL_SANDBOX_UNAVAILABLE. `data.down: true` says that the server is down or has no
   * room, and may be there later: the run waits then, for `data.retryAfterMs` milliseconds at least
   * where that is a number, instead of failing (docs/design/journal.md#outages). Nothing is left
   * running then; bounded in time by the source.
   */
  open(
    server: {
      readonly id: string;
      readonly settings: () => Promise<JsonObject>;
      readonly bearer: () => Promise<string | null>;
      /**
       * Called with each answer with 401 or 403. Throws KIT_CREDENTIAL_EXPIRED or
       * KIT_CONSENT_REQUIRED where it means that a login is over; absent: nobody has one.
       */
      readonly refused?: RefusalHandler;
    },
    context: ToolServerContext,
  ): Promise<ToolServer>;
}
