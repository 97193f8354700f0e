/**
 * One environment variable that kit reads. A test greps the source: no other KIT_* may be read
 * anywhere.
 */
export interface EnvVariable {
  readonly name: string;
  /**
   * `run`: frozen into the snapshot at submit; `process`: read live
   * (docs/design/journal.md#snapshot).
   */
  readonly scope: 'run' | 'process';
  readonly type: 'int' | 'number' | 'string' | 'bool' | 'list';
  readonly default: string | number | boolean | null;
  readonly min?: number;
  readonly description: string;
}

/** A variable that kit hands to the processes it starts, or reads as part of the machine. */
export interface NamedVariable {
  readonly name: string;
  readonly description: string;
}

const run = (
  name: string,
  type: EnvVariable['type'],
  dflt: EnvVariable['default'],
  description: string,
  min?: number,
): EnvVariable => ({
  name,
  scope: 'run',
  type,
  default: dflt,
  description,
  ...(min === undefined ? {} : { min }),
});
const proc = (
  name: string,
  type: EnvVariable['type'],
  dflt: EnvVariable['default'],
  description: string,
  min?: number,
): EnvVariable => ({
  name,
  scope: 'process',
  type,
  default: dflt,
  description,
  ...(min === undefined ? {} : { min }),
});

/** Every variable of the interface, with its default. Units are in the description. */
export const ENV_REGISTRY: readonly EnvVariable[] = [
  run('KIT_PROVIDER', 'string', null, 'Provider id used for every agent.'),
  run('KIT_MODEL', 'string', null, 'Model name used for every agent.'),
  run('KIT_JUDGE_MODEL', 'string', null, 'Model of decision skills that name none.'),
  run('KIT_MAX_TOOLS', 'int', 10, 'Tool calls executed from one model response.', 1),
  run('KIT_MAX_TOOL_TURNS', 'int', 50, 'Model turns of one agent activation.', 1),
  run('KIT_MAX_PER_TOOL', 'int', 8, 'Calls of one search or write tool per turn.', 1),
  run('KIT_MAX_PER_READ_TOOL', 'int', 50, 'Calls of one read tool per turn.', 1),
  run(
    'KIT_READ_TOOL_PREFIXES',
    'list',
    'read-,get-,list-,download-,describe-,explain-,render-',
    'Name prefixes of read tools whose effects are not declared.',
  ),
  run('KIT_READ_TOOLS', 'list', '', 'Names of read tools whose effects are not declared.'),
  run('KIT_MAX_RESULT_TOKENS', 'int', 8000, 'Tokens of one tool result in the conversation, about.', 25),
  run('KIT_MAX_RESULT_CHARS', 'int', null, 'Characters of one tool result in the conversation, instead.', 100),
  run('KIT_MAX_DELEGATIONS_PER_CHILD', 'int', 2, 'Delegations to one child per activation.', 1),
  run('KIT_MODEL_TIMEOUT', 'int', 1800, 'Seconds for one model call, from its request to the end of its answer.', 1),
  run('KIT_MODEL_FIRST_BYTE_S', 'int', 60, 'Seconds until a streamed answer of a model begins.', 1),
  run('KIT_MODEL_SILENCE_S', 'int', 60, 'Seconds without a piece of a streamed answer; then it is aborted.', 1),
  run('KIT_MODEL_RETRIES', 'int', 3, 'Retries of a model call that failed for a passing reason.', 0),
  run(
    'KIT_OUTAGE_PATIENCE_S',
    'int',
    900,
    'Seconds that a run waits, all in all, for a provider that is down, before it fails; 0 = none.',
    0,
  ),
  run('KIT_AGENT_RETRIES', 'int', 2, 'Nudges to an agent that answered nothing.', 0),
  run('KIT_MCP_TIMEOUT', 'int', 120, 'Seconds for one MCP call.', 1),
  run('KIT_MCP_RETRIES', 'int', 2, 'Retries of an idempotent MCP call.', 0),
  run(
    'KIT_HISTORY_TURNS',
    'int',
    3,
    'Earlier tasks and answers that an agent sees whole; older ones become a line each, at most 100.',
    0,
  ),
  run('KIT_ATTACHMENT_MAX_BYTES', 'int', 20 * 1024 * 1024, 'Bytes of one attachment.', 1),
  run(
    'KIT_CONTEXT_COMPRESSION',
    'string',
    null,
    "Backend of context compression instead of the workspace's; off switches overrides off too.",
  ),
  run(
    'KIT_CONTEXT_COMPRESSION_MIN_BYTES',
    'int',
    null,
    'Characters below which a result is left alone; default: min_bytes of the workspace, else 2000.',
    0,
  ),
  proc('KIT_STORE_URL', 'string', null, 'Connection URL of every store; beats storage.runtime.'),
  proc('KIT_STORE_BACKEND', 'string', null, 'sqlite or postgres: forces the backend; sqlite also beats DATABASE_URL.'),
  proc('DATABASE_URL', 'string', null, 'Used when KIT_STORE_URL is unset; beats storage.runtime too.'),
  proc('KIT_STORE_POOL_SIZE', 'int', 20, 'Connections of a PostgreSQL pool.', 1),
  proc('KIT_STORE_MAX_OVERFLOW', 'int', 10, 'Connections beyond the pool; with it at least 3 in all.', 0),
  proc('KIT_STATE_DIR', 'string', null, 'State directory; default <workspace>/.kit.'),
  proc('KIT_WORKTREES_DIR', 'string', null, 'Directory of harness worktrees; default below <XDG state directory>/kit.'),
  proc('KIT_WORKSPACE', 'string', null, 'Workspace used when a command names none; nothing is looked for then.'),
  proc(
    'KIT_SERVER',
    'string',
    null,
    'Address of a server that commands ask where they name neither workspace nor server.',
  ),
  proc('KIT_TOKEN', 'string', null, 'Key or token for that server and for --server; it goes nowhere else.'),
  proc('KIT_IDENTITY', 'string', null, 'Who acts where a command takes --as and none is written.'),
  proc('KIT_DATA_DIR', 'string', null, "Directory of this user's plugins; default <XDG data directory>/kit."),
  proc(
    'KIT_SKILLS_CATALOGUE',
    'string',
    null,
    'Directory or http(s) address of the skill catalogue; default the one that kit brings.',
  ),
  proc('KIT_ENV', 'string', null, 'Selects workspace.env.<name>.yaml.'),
  proc('KIT_VERBOSE', 'bool', false, 'Stacks and library logs.'),
  proc('KIT_QUIET', 'bool', false, 'No progress on stderr.'),
  proc(
    'KIT_OAUTH_KEY',
    'string',
    null,
    'Key that tokens of logins are encrypted with, or two with a comma, the new one first; default a key file.',
  ),
  proc('KIT_OAUTH_RUN_WINDOW_S', 'int', 900, 'Seconds of validity below which a token is refreshed at run start.', 0),
  proc(
    'KIT_SIGNING_KEY',
    'string',
    null,
    'Ed25519 key that signs decisions and exports: a PKCS#8 PEM, or the path of a file that holds one (mode 600).',
  ),
  proc('KIT_HARNESS_IMAGE', 'string', null, 'Container image of sandboxed harnesses whose adapter names none.'),
  proc('KIT_SANDBOX_IMAGE', 'string', null, 'Container image of sandboxed tool servers that name none.'),
  proc('KIT_CONTAINER_RUNTIME', 'string', null, 'docker or podman; default whichever answers.'),
  proc('KIT_DISABLE_CONTAINER_SANDBOX', 'bool', false, 'Uses a worktree where an adapter asks for a container.'),
  proc(
    'KIT_DEBUG_PROMPTS',
    'int',
    200,
    'Calls of models that the store keeps for `kit debug`, prompts and answers masked; 0 keeps none.',
    0,
  ),
  proc(
    'KIT_OTEL_EXPORTER',
    'string',
    null,
    'otlp, console or none: where traces and metrics of runs are exported to; beats the workspace.',
  ),
  proc(
    'KIT_OTEL_ENDPOINT',
    'string',
    'http://localhost:4318',
    'Receiver of OTLP over HTTP, without or with /v1/traces.',
  ),
  proc('KIT_OTEL_HEADERS', 'string', null, 'Headers for the receiver: name=value, divided by commas.'),
  proc('KIT_OTEL_API_KEY', 'string', null, 'Sent to the receiver as a bearer token.'),
  proc('KIT_MOCK_DELEGATE', 'bool', false, 'The mock provider delegates to every child once.'),
  proc('KIT_MOCK_LATENCY_MS', 'int', 0, 'Milliseconds that the mock provider waits.', 0),
  proc('NO_COLOR', 'string', null, 'Any value: no colour.'),
  proc('CI', 'string', null, 'Any value: plain lines instead of the live tree.'),
];

/** Set for the processes of a run; never read from the environment of kit itself. */
export const CHILD_VARIABLES: readonly NamedVariable[] = [
  { name: 'KIT_RUN_ID', description: 'Id of the run that started the process.' },
  {
    name: 'KIT_STEP_ID',
    description: 'Id of the step, the same on each attempt, so that an effect can be recognised as done.',
  },
  {
    name: 'KIT_PROCESS_ID',
    description: 'Mark by which the supervisor finds descendants that left the process group.',
  },
];

/**
 * Read by the bundled model providers and by the artifact store s3, where a run uses them. Keys are
 * read for each call and never stored.
 */
export const PROVIDER_VARIABLES: readonly NamedVariable[] = [
  { name: 'ANTHROPIC_API_KEY', description: 'Key of the provider anthropic.' },
  { name: 'OPENAI_API_KEY', description: 'Key of the provider openai.' },
  { name: 'GOOGLE_API_KEY', description: 'Key of the provider google.' },
  { name: 'OPENROUTER_API_KEY', description: 'Key of the provider openrouter.' },
  { name: 'GROQ_API_KEY', description: 'Key of the provider groq.' },
  { name: 'TOGETHER_API_KEY', description: 'Key of the provider together.' },
  { name: 'OLLAMA_BASE_URL', description: 'Address of ollama, without /api; default http://localhost:11434.' },
  { name: 'RKLLAMA_HOST', description: 'Address of rkllama, without /api; default http://localhost:8080.' },
  { name: 'LLAMA_SERVER_URL', description: 'Address of llama-server; default http://localhost:8080/v1.' },
  { name: 'OVMS_URL', description: 'Address of openvino-model-server; default http://localhost:8000/v3.' },
  { name: 'MLX_LM_URL', description: 'Address of mlx-lm; default http://localhost:8080/v1.' },
  { name: 'LEMONADE_URL', description: 'Address of lemonade; default http://localhost:8000/api/v1.' },
  {
    name: 'AWS_ACCESS_KEY_ID',
    description: 'Id of the key of the artifact store s3, where storage.artifacts names none.',
  },
  { name: 'AWS_SECRET_ACCESS_KEY', description: 'Secret of that key.' },
  {
    name: 'AWS_SESSION_TOKEN',
    description: 'Belongs to a temporary key, which the artifact store s3 cannot use: it is refused.',
  },
  { name: 'AWS_REGION', description: 'Region of the bucket, where storage.artifacts names none.' },
];

/** What kit reads of the machine and of its user; none of it belongs to kit. */
export const MACHINE_VARIABLES: readonly NamedVariable[] = [
  { name: 'PATH', description: 'Where programs are looked for.' },
  { name: 'HOME', description: 'Home of the user, below which the directories of data and configuration lie.' },
  { name: 'XDG_CONFIG_HOME', description: 'Directory of configuration; adapter approvals lie below it.' },
  { name: 'XDG_CACHE_HOME', description: 'Directory of copies; those of remote skill catalogues lie below it.' },
  { name: 'XDG_DATA_HOME', description: 'Directory of data; the plugins of this user lie below it.' },
  { name: 'XDG_STATE_HOME', description: 'Directory of state; the worktrees of harnesses lie below it.' },
  { name: 'TMPDIR', description: 'Folder for temporary files, of which worktrees of runs are the largest.' },
  {
    name: 'TRACEPARENT',
    description:
      'W3C trace context: a run that is submitted hangs below it. Processes of a run get that of their step under the same name.',
  },
  { name: 'OTEL_SERVICE_NAME', description: 'Name of the service in what is exported; default kit.' },
  { name: 'OTEL_RESOURCE_ATTRIBUTES', description: 'Attributes of what is exported: name=value, divided by commas.' },
  { name: 'OTEL_EXPORTER_OTLP_PROTOCOL', description: 'http/protobuf (default) or http/json.' },
  {
    name: 'OTEL_METRIC_EXPORT_INTERVAL',
    description: 'Milliseconds between two exports of metrics by a server; default 60000.',
  },
  {
    name: 'TERM',
    description: 'Kind of terminal; `dumb` cannot move its cursor: plain lines instead of the live tree.',
  },
  {
    name: 'NODE_ENV',
    description:
      'Set to `production` while what draws the live tree and the inbox is loaded, and put back; kit takes no value from it.',
  },
  { name: 'LOCALAPPDATA', description: 'The same on Windows.' },
  {
    name: 'GITHUB_WORKSPACE',
    description: 'Checkout of a GitHub workflow; the formats sarif and github of `kit validate` name files from there.',
  },
];
