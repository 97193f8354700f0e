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
