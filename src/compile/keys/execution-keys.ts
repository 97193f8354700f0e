import { described, inForce, type KeyRow } from './key-row.js';

const SPEC = 'ExecutorAdapter.spec';

export const ADAPTER_KEYS: readonly KeyRow[] = [
  ...described('ExecutorAdapter'),
  ...inForce(`${SPEC}.launch`, [
    'command',
    'optional_args.*.when',
    'optional_args.*.args',
    'env',
    'stdin',
    'mcp_tool_name',
    'mcp_file',
  ]),
  ...inForce(`${SPEC}.launch.home`, ['variable', 'from', 'link', 'config', 'without']),
  ...inForce(`${SPEC}.auth`, ['default']),
  ...['api_key', 'subscription'].flatMap((mode) =>
    inForce(`${SPEC}.auth.modes.${mode}`, ['env', 'args', 'credential_paths']),
  ),
  ...inForce(`${SPEC}.stream`, ['format', 'retain_raw']),
  ...inForce(`${SPEC}.event_map.*`, ['when', 'for_each', 'set.session_id']),
  ...inForce(`${SPEC}.event_map.*.emit.*`, ['event', 'when', 'with.*', 'with.*.from', 'with.*.map']),
  ...inForce(SPEC, [
    '*_map',
    'success_when.exit_code',
    'requires',
    'resume.arg',
    'resume.prompt',
    'telemetry_grade',
    'artifacts.profile',
    'verified.program',
    'verified.range',
  ]),
  ...inForce(`${SPEC}.prices.*`, ['model', 'input', 'output', 'cached_input', 'reasoning']),
  ...inForce(`${SPEC}.gate`, [
    'protocol',
    'tools.*.kind',
    'tools.*.subject',
    'stdin',
    'control_files',
    'refuse_control_files',
    'user_settings',
  ]),
  ...inForce(SPEC, [
    'on_unanswerable',
    'grant.arg',
    'grant.separator',
    'interaction.driver',
    'interaction.max_approval_wait_seconds',
  ]),
  ...inForce(`${SPEC}.sandbox`, [
    'kind',
    'network',
    'allow',
    'image',
    'build.base',
    'build.dockerfile',
    'build.dockerfile_inline',
    'build.install',
    'mounts.*.source',
    'mounts.*.target',
    'mounts.*.mode',
    'resources.cpus',
    'resources.memory',
    'resources.pids',
  ]),
];

const PROVIDER = 'ModelProvider.spec';

export const PROVIDER_KEYS: readonly KeyRow[] = [
  ...described('ModelProvider'),
  ...inForce(PROVIDER, [
    'extends',
    'base_url',
    'headers',
    'extra_body',
    'requires',
    'options.lift_to_root',
    'context_window',
  ]),
  ...inForce(`${PROVIDER}.prices.*`, ['model', 'input', 'output', 'cached_input', 'cache_write', 'reasoning']),
  ...inForce(`${PROVIDER}.limits`, ['in_flight', 'requests_per_minute']),
  ...inForce(`${PROVIDER}.auth`, ['api_key_env', 'header', 'scheme']),
  ...inForce(`${PROVIDER}.models`, ['pattern', 'accept_any']),
  ...inForce(`${PROVIDER}.capabilities`, ['images', 'tools', 'streaming', 'structured_output']),
];
