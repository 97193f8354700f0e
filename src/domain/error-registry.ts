import { CATALOGUE_ERRORS, EDIT_ERRORS, LOGIN_ERRORS, PLUGIN_ERRORS, REMOTE_ERRORS } from './elsewhere-errors.js';
import { STORE_ERRORS } from './store-errors.js';

/**
 * What a code means to CLI and HTTP. `hint` is the default next step; a throw site may be
 * more specific.
 */
export interface ErrorInfo {
  readonly exit: 1 | 2;
  readonly http: number;
  readonly hint: string;
}

/**
 * The closed registry of refusals: code -> exit code, HTTP status, default hint
 * (docs/design/decisions.md#errors). A removed code is never reused. Each has a section in
 * docs/errors.md; a test checks both directions. Exit 2 = usage or refused start, 1 = failed or
 * invalid.
 */
export const ERROR_REGISTRY = {
  KIT_USAGE: { exit: 2, http: 400, hint: 'Run the command with --help.' },
  KIT_INTERNAL: { exit: 1, http: 500, hint: 'Run again with KIT_VERBOSE=1 and report the stack.' },
  KIT_WORKSPACE_NOT_FOUND: {
    exit: 2,
    http: 404,
    hint: 'Give the directory that holds workspace.yaml, or make one: `kit init --template empty --yes`.',
  },
  KIT_WORKSPACE_INVALID: { exit: 1, http: 422, hint: 'Run `kit validate` and fix what it lists.' },
  KIT_NOT_YET: { exit: 2, http: 422, hint: 'Remove the key: this version of kit does not support it.' },
  KIT_TOPOLOGY_UNKNOWN: { exit: 2, http: 404, hint: 'Run `kit validate` to list the topologies.' },
  KIT_INPUT_INVALID: { exit: 2, http: 422, hint: "Give an input that fits the topology's input_schema." },
  KIT_INPUT_MISSING: { exit: 2, http: 422, hint: 'Give --input TEXT, --input - or pipe the input.' },
  KIT_ATTACHMENT_INVALID: { exit: 2, http: 422, hint: 'Attach a PNG, JPEG, GIF or WebP file inside the workspace.' },
  KIT_LABEL_INVALID: { exit: 2, http: 422, hint: 'Write labels as key=value.' },
  KIT_ENV_INVALID: { exit: 2, http: 500, hint: 'Correct or unset the variable.' },
  KIT_LIMIT_INVALID: { exit: 2, http: 422, hint: 'Write a number of 0 or more.' },
  KIT_PRICE_UNKNOWN: { exit: 2, http: 422, hint: 'State `prices` of the provider, or remove max_cost_per_run_usd.' },
  KIT_PROVIDER_UNKNOWN: { exit: 2, http: 422, hint: 'Install the provider plugin or name a known provider.' },
  KIT_PROVIDER_KEY_MISSING: { exit: 2, http: 422, hint: 'Set the named environment variable.' },
  KIT_PROVIDER_INVALID: { exit: 2, http: 422, hint: 'Run `kit validate` and fix the provider that it names.' },
  KIT_CREDENTIAL_UNRESOLVED: { exit: 2, http: 503, hint: 'Set the credential that the workspace names.' },
  KIT_EXECUTOR_UNKNOWN: { exit: 2, http: 422, hint: 'Install the plugin that brings the executor.' },
  KIT_ADAPTER_UNTRUSTED: {
    exit: 2,
    http: 422,
    hint: 'Read the launch command with `kit adapters show <adapter>`, then pass --trust <digest>.',
  },
  KIT_SANDBOX_UNAVAILABLE: { exit: 2, http: 422, hint: 'Run inside a git repository with at least one commit.' },
  KIT_GOVERNANCE_FAILED: {
    exit: 1,
    http: 500,
    hint: 'Look at the error of the governance provider: the action was denied.',
  },
  KIT_JOB_UNKNOWN: { exit: 2, http: 404, hint: 'Run `kit status` to list the runs.' },
  KIT_JOB_ID_AMBIGUOUS: { exit: 2, http: 422, hint: 'Give more characters of the run id.' },
  KIT_EVAL_UNKNOWN: {
    exit: 2,
    http: 404,
    hint: 'Name an eval set of the workspace: a file of evals/, or its metadata.id.',
  },
  KIT_EVAL_INVALID: { exit: 2, http: 422, hint: 'Run `kit validate` and fix what it lists.' },
  KIT_WAIT_TIMEOUT: { exit: 2, http: 504, hint: 'Wait longer with --timeout, or look with `kit why`.' },
  KIT_FILTER_UNKNOWN: { exit: 2, http: 422, hint: 'Leave the filter out to see what there is.' },
  KIT_REPORT_EXISTS: { exit: 2, http: 409, hint: 'Name another file with --output, or replace it with --force.' },
  KIT_JOB_ID_USED: { exit: 2, http: 409, hint: 'Choose another id, or submit a new run with --supersedes.' },
  KIT_JOB_NOT_RESUMABLE: {
    exit: 2,
    http: 409,
    hint: 'Resume a deferred or stopped run; retry a failed one with `kit retry <run>`.',
  },
  KIT_JOB_NOT_RETRYABLE: {
    exit: 2,
    http: 409,
    hint: 'Resume a stopped run with `kit resume <run>`; submit a completed one again.',
  },
  KIT_NOTHING_TO_RESUME: { exit: 2, http: 409, hint: 'Run `kit checkpoints` to list the runs that can go on.' },
  KIT_JOURNAL_DIVERGED: { exit: 1, http: 409, hint: 'Resume the run with the version of kit that recorded it.' },
  KIT_STEP_UNKNOWN: { exit: 2, http: 404, hint: 'Run `kit debug <run>` to list the steps of the run.' },
  KIT_JOURNAL_PRUNED: {
    exit: 1,
    http: 410,
    hint: 'Submit the run again with --supersedes; its events are still there.',
  },
  KIT_ITEM_UNKNOWN: { exit: 2, http: 404, hint: 'Run `kit review list` to see what waits for a decision.' },
  KIT_ITEM_AMBIGUOUS: { exit: 2, http: 422, hint: 'Give more characters of the id.' },
  KIT_GATE_UNKNOWN: { exit: 2, http: 404, hint: 'Run `kit review list` to see the gates that are open.' },
  KIT_OUTCOME_INVALID: { exit: 2, http: 422, hint: 'Decide with approve, reject or changes_requested.' },
  KIT_COMMENT_MISSING: { exit: 2, http: 422, hint: 'Say what should change with --comment.' },
  KIT_APPROVAL_DENIED: {
    exit: 2,
    http: 403,
    hint: 'Ask a member of the role to decide, or add this identity to the role in roles/.',
  },
  KIT_ALREADY_DECIDED: { exit: 2, http: 409, hint: 'Look at the gate with `kit review gate <gate>`.' },
  KIT_GATE_EXPIRED: { exit: 2, http: 409, hint: 'Submit the run again, or ask the roles that it was escalated to.' },
  KIT_ROLE_TASK: { exit: 2, http: 409, hint: 'Decide it with `kit review resolve <id> --as <identity>`.' },
  KIT_GATE_NOT_ENFORCEABLE: { exit: 2, http: 422, hint: 'Run `kit validate`, and define the role that it names.' },
  KIT_AUTHOR_UNIDENTIFIED: { exit: 2, http: 422, hint: 'Say who submits the run with --as <identity>.' },
  KIT_ARTIFACT_UNKNOWN: { exit: 2, http: 404, hint: 'Run `kit artifacts list` to see what there is.' },
  KIT_ARTIFACT_AMBIGUOUS: { exit: 2, http: 409, hint: 'Write the whole digest; `kit artifacts list --json` shows it.' },
  KIT_ARTIFACT_CORRUPT: {
    exit: 1,
    http: 500,
    hint: 'Restore the store from a backup; the artifact is not what was reviewed.',
  },
  KIT_LOG_BROKEN: {
    exit: 1,
    http: 500,
    hint: 'Compare the store with a backup or with exported proofs: it was changed by hand.',
  },
  KIT_ARTIFACT_STORE: { exit: 2, http: 503, hint: 'Check `storage.artifacts` and the credentials that it names.' },
  KIT_PROOF_UNREADABLE: { exit: 2, http: 422, hint: 'Name a file that `kit review export` wrote.' },
  KIT_SIGNING_KEY_INVALID: {
    exit: 2,
    http: 500,
    hint: 'Correct KIT_SIGNING_KEY, or make the key file readable for you alone (mode 600).',
  },
  KIT_LEASE_LOST: {
    exit: 1,
    http: 409,
    hint: 'Wait for the process that executes the run, or look with `kit why <run>`.',
  },
  KIT_CASSETTE_INVALID: { exit: 2, http: 422, hint: 'Name a file that `kit run --record FILE` wrote.' },
  KIT_CASSETTE_CUT: {
    exit: 2,
    http: 422,
    hint: 'Record it again: the recording process ended before its run.',
  },
  KIT_CASSETTE_NEWER: {
    exit: 2,
    http: 422,
    hint: 'Replay it with the version of kit that recorded it, or upgrade kit.',
  },
  KIT_CASSETTE_MISMATCH: {
    exit: 2,
    http: 422,
    hint: 'Name the workspace and topology that were recorded, or record again.',
  },
  ...STORE_ERRORS,
  ...LOGIN_ERRORS,
  ...REMOTE_ERRORS,
  KIT_CURSOR_INVALID: { exit: 2, http: 400, hint: 'Send a cursor exactly as the server returned it.' },
  ...PLUGIN_ERRORS,
  KIT_POLICY_INVALID: { exit: 2, http: 422, hint: 'Run `kit validate` and correct the policies; docs/governance.md.' },
  KIT_KNOWLEDGE_INVALID: {
    exit: 2,
    http: 422,
    hint: 'Run `kit validate` and fix the documents, or leave them out with `include`; docs/knowledge.md.',
  },
  KIT_CAPACITY: { exit: 2, http: 429, hint: 'Try again after the seconds of Retry-After.' },
  KIT_UNAUTHENTICATED: {
    exit: 2,
    http: 401,
    hint: 'Send Authorization: Bearer <token>: a key, made by `kit auth token`, or a token of the issuer that GET /auth-info names.',
  },
  KIT_SCOPE_MISSING: { exit: 2, http: 403, hint: 'Use a token of a higher tier.' },
  KIT_HOST_REFUSED: {
    exit: 2,
    http: 403,
    hint: 'Call localhost or 127.0.0.1, or name the host in server.allowed_hosts or server.public_url.',
  },
  KIT_ORIGIN_REFUSED: {
    exit: 2,
    http: 403,
    hint: 'Start the server with --cors-origin and the origin of the page, or with authentication.',
  },
  KIT_AUTH_INVALID: { exit: 2, http: 500, hint: 'Correct server.auth in workspace.yaml.' },
  KIT_SERVE_REFUSED: { exit: 2, http: 500, hint: 'Fix one of the listed causes.' },
  KIT_ADDRESS_IN_USE: {
    exit: 2,
    http: 500,
    hint: 'Choose another port with --port, or stop the process that listens there.',
  },
  KIT_REQUEST_INVALID: { exit: 2, http: 422, hint: 'Correct the fields that `errors` names.' },
  KIT_REQUEST_MALFORMED: { exit: 2, http: 400, hint: 'Send a body of JSON with Content-Type: application/json.' },
  KIT_MEDIA_TYPE_UNSUPPORTED: { exit: 2, http: 415, hint: 'Send JSON with Content-Type: application/json.' },
  KIT_REQUEST_TOO_LARGE: {
    exit: 2,
    http: 413,
    hint: 'Send a smaller body, or name files of the workspace with `path`.',
  },
  KIT_ROUTE_UNKNOWN: { exit: 2, http: 404, hint: 'GET /openapi.json lists the routes.' },
  KIT_METHOD_NOT_ALLOWED: { exit: 2, http: 405, hint: 'Use one of the methods that `Allow` names.' },
  KIT_NOT_READY: { exit: 2, http: 503, hint: 'Try again in a moment.' },
  KIT_NO_LISTENER: { exit: 2, http: 503, hint: 'Set server.signal.url, or install a plugin that listens.' },
  KIT_SIGNAL_FAILED: { exit: 1, http: 502, hint: 'Look at the log of the listener; the attempt is in the event log.' },
  KIT_SIGNATURE_INVALID: { exit: 2, http: 401, hint: 'Sign the raw body with the secret that the trigger names.' },
  KIT_SECRET_MISSING: { exit: 2, http: 503, hint: 'Set the secret that the trigger names, and reload.' },
  KIT_TRIGGER_UNKNOWN: { exit: 2, http: 404, hint: 'List the triggers with `kit triggers list`.' },
  KIT_TRIGGER_DISABLED: { exit: 2, http: 409, hint: 'Set `enabled: true` and reload.' },
  KIT_CANARY_UNKNOWN: { exit: 2, http: 404, hint: 'Run `kit canary list` for the routes and versions.' },
  KIT_CANARY_CONFLICT: { exit: 2, http: 409, hint: 'Run `kit canary list` again, and repeat the decision.' },
  KIT_CONVERSATION_UNKNOWN: { exit: 2, http: 404, hint: 'GET /conversations lists them.' },
  KIT_CONVERSATION_FOREIGN: {
    exit: 2,
    http: 403,
    hint: 'Start a conversation of your own; an admin can read this one.',
  },
  KIT_CONVERSATION_BUSY: { exit: 2, http: 409, hint: 'Wait for the answer to the turn before, or decide its gate.' },
  KIT_MEMORY_OFF: { exit: 2, http: 404, hint: 'Remove `memory.enabled: false` from workspace.yaml.' },
  KIT_MEMORY_INVALID: { exit: 2, http: 422, hint: 'Correct the field that is named.' },
  KIT_MEMORY_UNKNOWN: { exit: 2, http: 404, hint: 'List the memories that wait with `kit memory quarantine`.' },
  KIT_MEMORY_DECIDED: {
    exit: 2,
    http: 409,
    hint: 'Look at the entry with `kit memory get`, and add it again if it is wrong.',
  },
  KIT_MEMORY_CHANGED: {
    exit: 2,
    http: 409,
    hint: 'Look at the entry with `kit memory get`; reject this one, and add the right value with `kit memory add`.',
  },
  KIT_IDEMPOTENCY_CONFLICT: { exit: 2, http: 409, hint: 'Use a new key for another request.' },
  KIT_DIFF_UNKNOWN: { exit: 2, http: 404, hint: 'Name a run with a coding harness: `kit status` lists the runs.' },
  KIT_APPLY_REFUSED: { exit: 2, http: 409, hint: 'Nothing was written. Look at the changes with `kit diff RUN`.' },
  KIT_APPLY_CONFLICT: {
    exit: 1,
    http: 409,
    hint: 'Nothing was written. Write the changes to a new branch with --branch NAME.',
  },
  KIT_ADAPTER_UNKNOWN: { exit: 2, http: 404, hint: 'Run `kit adapters list` to see what there is.' },
  KIT_SCHEMA_UNKNOWN: { exit: 2, http: 404, hint: 'Name one of the kinds that are listed.' },
  ...EDIT_ERRORS,
  KIT_PLUGIN_MOUNT_REFUSED: { exit: 2, http: 500, hint: 'Change the prefix of the contribution.' },
  KIT_QUEUE_FULL: { exit: 2, http: 429, hint: 'Wait for Retry-After, add workers, or raise --max-queue-depth.' },
  KIT_WORKER_REFUSED: { exit: 2, http: 500, hint: 'Correct the setting that is named.' },
  KIT_MIGRATE_TARGET: {
    exit: 2,
    http: 409,
    hint: 'Name an empty database, or the one that an earlier migration of this store began to fill.',
  },
  KIT_MIGRATE_SOURCE: {
    exit: 2,
    http: 409,
    hint: 'Name the workspace whose runs are in SQLite, and stop every process that uses it.',
  },
  KIT_TOOL_SERVER_FAILED: {
    exit: 1,
    http: 502,
    hint: 'Read what the server wrote to stderr, and start it by hand with the same command.',
  },
  KIT_TOOL_CALL_FAILED: {
    exit: 1,
    http: 502,
    hint: 'Look at the server: if `sent` is true, it may have executed the call.',
  },
  KIT_TOOL_SANDBOX_UNAVAILABLE: { exit: 2, http: 422, hint: 'Install docker or podman, or set `sandboxed: false`.' },
  KIT_TOOL_SERVER_UNKNOWN: { exit: 2, http: 422, hint: 'Declare the server under `mcp_servers` in workspace.yaml.' },
  KIT_BINARY_VERSION: { exit: 2, http: 422, hint: 'Install a version that fits, or change `requires` of the pack.' },
  KIT_PACKAGE_MISSING: { exit: 2, http: 422, hint: 'Install the package that is named.' },
  KIT_OUTBOUND_REFUSED: {
    exit: 2,
    http: 422,
    hint: 'Name an http or https address that others reach, or list a private one under server.outbound.allow.',
  },
  KIT_AGENT_INVALID: { exit: 1, http: 502, hint: 'Look at the card and the answers of the agent that is named.' },
  KIT_AGENT_REFUSED: { exit: 1, http: 502, hint: 'Read the answer of the agent in the message.' },
  KIT_A2A_ORIGIN: { exit: 2, http: 422, hint: 'Name the card at the address where the agent itself answers.' },
  KIT_OUTBOUND_FAILED: { exit: 1, http: 502, hint: 'Look at the server that is named, and try again.' },
  KIT_MIGRATE_MISMATCH: {
    exit: 1,
    http: 500,
    hint: 'Nothing was removed: keep the SQLite files, and migrate into an empty database.',
  },
  ...CATALOGUE_ERRORS,
  KIT_UPGRADE_UNKNOWN: {
    exit: 2,
    http: 500,
    hint: 'Check the network and the registry of npm (`npm config get registry`).',
  },
  KIT_UPGRADE_MANUAL: { exit: 2, http: 500, hint: 'Upgrade kit with the tool that installed it.' },
  KIT_UPGRADE_REFUSED: {
    exit: 2,
    http: 500,
    hint: 'Let those runs end first, or pass --force to leave them to another version of kit.',
  },
} as const satisfies Record<string, ErrorInfo>;

/** `KIT_<AREA>_<PROBLEM>`; closed union, see ERROR_REGISTRY. */
export type ErrorCode = keyof typeof ERROR_REGISTRY;
