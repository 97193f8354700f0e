import type { AllowedHost, StatedPrice } from '@kit-run/kit/plugin';
import type { AdapterGate } from '../gate/gate-spec.js';

/** A literal that a rule may compare with or emit. */
export type Scalar = string | number | boolean | null;

/**
 * What a field of an emitted event is made from: a path into the line, a literal, or a lookup in a
 * named map.
 */
export type FieldSource =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'literal'; readonly value: Scalar }
  | { readonly kind: 'lookup'; readonly path: string; readonly map: string };

/**
 * Event names that an adapter may emit; `artifact` carries no meaning for the result and is
 * dropped.
 */
export const EVENT_NAMES = [
  'started',
  'message',
  'tool_call',
  'artifact',
  'usage',
  'approval_requested',
  'input_requested',
  'result',
  'raw',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

export interface Emit {
  readonly when: Readonly<Record<string, Scalar>>;
  readonly event: EventName;
  readonly with: Readonly<Record<string, FieldSource>>;
}

export interface Rule {
  readonly when: Readonly<Record<string, Scalar>>;
  /**
   * Path of an array (or an object, whose values are taken); null = the line itself is the one
   * item.
   */
  readonly forEach: string | null;
  readonly setSessionId: FieldSource | null;
  readonly emit: readonly Emit[];
}

export interface OptionalArgs {
  /** Variable whose being non-empty adds the group. */
  readonly when: string;
  readonly args: readonly string[];
}

export interface AuthMode {
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** Below `~/`: where the program keeps the login of the person who runs it. */
  readonly credentialPaths: readonly string[];
}

export type UnanswerablePolicy = 'deny' | 'abort' | 'relay';

/** Where an image is built from: exactly one of the first three. */
export interface SandboxBuild {
  readonly base: string | null;
  /** Relative to the workspace. */
  readonly dockerfile: string | null;
  readonly inline: string | null;
  /** Commands on top of `base`. */
  readonly install: readonly string[];
}

export interface Mount {
  /** Relative to the workspace, or absolute. */
  readonly source: string;
  readonly target: string;
  readonly isWritable: boolean;
}

/** `sandbox` with `kind: container`. */
export interface ContainerSandbox {
  readonly image: string | null;
  readonly build: SandboxBuild | null;
  readonly mounts: readonly Mount[];
  /** Hosts that it reaches over TLS, through kit; empty: it has no network. */
  readonly allow: readonly AllowedHost[];
  /** In the words of the runtime; null = not said. */
  readonly resources: { readonly cpus: string | null; readonly memory: string | null; readonly pids: number | null };
}

/** `launch.home`. */
export interface PrivateHome {
  /** Names the folder to the program. */
  readonly variable: string;
  /** The user's own, below `~/`. */
  readonly from: string;
  readonly link: readonly string[];
  /** A TOML file that is copied; null = none is. */
  readonly config: string | null;
  /** Members of the TOML file that are left out. */
  readonly without: readonly string[];
}

/**
 * The launch- and stream-relevant part of an ExecutorAdapter's `spec`, checked and with its
 * defaults.
 */
export interface AdapterSpec {
  readonly launch: {
    readonly command: readonly [string, ...string[]];
    readonly optionalArgs: readonly OptionalArgs[];
    readonly env: Readonly<Record<string, string>>;
    /** Template of what is written to stdin; null = stdin is closed at once. */
    readonly stdin: string | null;
    /** A folder of the program's own for each session; null = it shares its user's. */
    readonly home: PrivateHome | null;
    /** Content of the file that tells its program of kit's tools; null: what most programs take. */
    readonly toolFile: string | null;
  };
  readonly auth: { readonly default: string | null; readonly modes: Readonly<Record<string, AuthMode>> };
  /** `jsonl`: lines that the rules read; `acp`: the Agent Client Protocol, spoken over stdio. */
  readonly format: 'jsonl' | 'acp';
  readonly retainRaw: boolean;
  readonly rules: readonly Rule[];
  readonly maps: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Null: the worktree alone. */
  readonly sandbox: ContainerSandbox | null;
  readonly resumeArgs: readonly string[];
  /** Exit code without which a reported success is a failure. */
  readonly successExitCode: number;
  readonly onUnanswerable: UnanswerablePolicy;
  /** How its program asks kit before each of its calls; null: it asks nobody. */
  readonly gate: AdapterGate | null;
  /**
   * `telemetry_grade: opaque`: what the stream says of tokens and costs is not to be counted on, so
   * nothing of it counts.
   */
  readonly isOpaque: boolean;
  /** What its tokens cost here; by the first entry that fits `config.model`. */
  readonly prices: readonly StatedPrice[];
}

/** One reason why an adapter cannot run; `pointer` is into its `spec`. */
export interface AdapterProblem {
  readonly pointer: string;
  readonly message: string;
}

export type ParsedAdapter =
  | { readonly ok: true; readonly spec: AdapterSpec }
  | { readonly ok: false; readonly problems: readonly AdapterProblem[] };
