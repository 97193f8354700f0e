/** Codes of logins at servers elsewhere, and of what is kept of them; see `ERROR_REGISTRY`. */
export const LOGIN_ERRORS = {
  KIT_VAULT_KEY: {
    exit: 2,
    http: 500,
    hint: 'Set KIT_OAUTH_KEY to the key that it was encrypted with, or log out and log in again.',
  },
  KIT_VAULT_DAMAGED: { exit: 1, http: 500, hint: 'Log out and log in again: a changed row is never used.' },
  KIT_CONSENT_REQUIRED: { exit: 1, http: 409, hint: 'Log in with `kit credentials login`, then continue.' },
  KIT_CREDENTIAL_EXPIRED: {
    exit: 1,
    http: 409,
    hint: 'Log in with `kit credentials login`, then retry the run with `kit retry <run>`.',
  },
  KIT_CREDENTIAL_OWNER: { exit: 2, http: 409, hint: 'Name the owner of the login in config.owner of the credential.' },
  KIT_CREDENTIAL_UNKNOWN: { exit: 2, http: 404, hint: 'List the credentials with `kit credentials list`.' },
  KIT_LOGIN_FAILED: { exit: 1, http: 400, hint: 'Look at the server that is named, and log in again.' },
  KIT_LOGIN_STATE: {
    exit: 2,
    http: 400,
    hint: 'Start the login again, and finish it in the same browser within 600 s.',
  },
} as const;

/** Codes of commands at a server; see `ERROR_REGISTRY`. */
export const REMOTE_ERRORS = {
  KIT_SERVER_UNREACHABLE: {
    exit: 2,
    http: 502,
    hint: 'Check the address, the network and the server: its `/health` answers while it runs.',
  },
  KIT_SERVER_ANSWER: {
    exit: 2,
    http: 502,
    hint: 'Check that the address is that of a kit server, and that both are of one version.',
  },
  KIT_SERVER_INSECURE: {
    exit: 2,
    http: 400,
    hint: 'Use https: kit sends a token over plain http only to this machine.',
  },
  KIT_REMOTE_UNSUPPORTED: {
    exit: 2,
    http: 400,
    hint: 'Run it on the machine with the workspace, with -w <directory> instead of --server.',
  },
} as const;

/** Codes of plugins; see `ERROR_REGISTRY`. */
export const PLUGIN_ERRORS = {
  KIT_PLUGIN_UNKNOWN: { exit: 2, http: 404, hint: 'Run `kit plugins inspect` to list the plugins.' },
  KIT_PLUGIN_MANIFEST_INVALID: { exit: 2, http: 500, hint: "Correct the `kit` key of the plugin's package.json." },
  KIT_PLUGIN_API_MISMATCH: { exit: 2, http: 500, hint: 'Install a version of the plugin made for this kit.' },
  KIT_PLUGIN_DUPLICATE_ID: { exit: 2, http: 500, hint: 'Uninstall one of the two plugins.' },
  KIT_PLUGIN_LOAD_FAILED: { exit: 2, http: 500, hint: 'Reinstall the plugin, or report the error to its author.' },
  KIT_PLUGIN_CALL_FAILED: { exit: 1, http: 500, hint: 'Report the error to the author of the plugin.' },
  KIT_PLUGIN_CRASHED: {
    exit: 1,
    http: 500,
    hint: 'Report it to the author of the plugin; runs continue in the next process.',
  },
  KIT_PLUGIN_CONFIG_INVALID: { exit: 2, http: 422, hint: 'Correct the configuration of the contribution.' },
  KIT_PLUGIN_INTEGRITY: {
    exit: 2,
    http: 500,
    hint: 'Reinstall the plugin: its files have changed since the installation.',
  },
  KIT_PLUGIN_INSTALL_FAILED: {
    exit: 1,
    http: 502,
    hint: 'Nothing was changed. Read the output of npm; `npm config get registry` shows the registry that it asked.',
  },
  KIT_PLUGIN_REFUSED: {
    exit: 2,
    http: 422,
    hint: 'Read the effects and commands of the plugin, and pass --yes to accept them.',
  },
} as const;

/** Codes of changes to files of a workspace; see `ERROR_REGISTRY`. */
export const EDIT_ERRORS = {
  KIT_EDIT_UNKNOWN: {
    exit: 2,
    http: 404,
    hint: 'GET /api/<kind> lists the artifacts of a kind, GET /api/workspace/config the entries.',
  },
  KIT_EDIT_INVALID: { exit: 2, http: 422, hint: 'Fix what `errors` lists; nothing was written.' },
  KIT_EDIT_EXISTS: { exit: 2, http: 409, hint: 'Change it with PUT, or choose another id.' },
  KIT_EDIT_IN_USE: { exit: 2, http: 409, hint: 'Remove the references first.' },
  KIT_EDIT_STALE: { exit: 2, http: 412, hint: 'Read it again, and repeat the change on the current version.' },
  KIT_EDIT_FAILED: {
    exit: 1,
    http: 503,
    hint: 'Give the server the right to write the workspace, or edit the file by hand and POST /reload.',
  },
} as const;

/** Codes of skills and their catalogue; see `ERROR_REGISTRY`. */
export const CATALOGUE_ERRORS = {
  KIT_SKILL_UNKNOWN: {
    exit: 1,
    http: 422,
    hint: 'List what there is with `kit skill list --available`.',
  },
  KIT_SKILL_REFUSED: { exit: 1, http: 422, hint: 'Nothing was written. Fix what is named, or choose another skill.' },
  KIT_SKILL_HELD: { exit: 1, http: 409, hint: 'Remove it first from the agents and archetypes that hold it.' },
  KIT_CATALOGUE_UNREACHABLE: {
    exit: 1,
    http: 502,
    hint: 'Set KIT_SKILLS_CATALOGUE to a directory or an http(s) address, or unset it for the catalogue of kit.',
  },
  KIT_CATALOGUE_CHANGED: { exit: 1, http: 409, hint: 'Run the command again, and check what it would write now.' },
} as const;
