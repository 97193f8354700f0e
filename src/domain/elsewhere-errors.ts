/** Codes of logins at servers elsewhere, and of what is kept of them; see `ERROR_REGISTRY`. */
export const LOGIN_ERRORS = {
  KIT_VAULT_KEY: {
    exit: 2,
    http: 500,
    hint: 'Set KIT_OAUTH_KEY to the key that it was encrypted with, or log out and log in again.',
  },
  KIT_VAULT_DAMAGED: { exit: 1, http: 500, hint: 'Log out and log in again: what was changed is never used.' },
  KIT_CONSENT_REQUIRED: { exit: 1, http: 409, hint: 'Log in with `kit credentials login`, then go on.' },
  KIT_CREDENTIAL_EXPIRED: {
    exit: 1,
    http: 409,
    hint: 'Log in with `kit credentials login`, then begin the run anew with `kit retry <run>`.',
  },
  KIT_CREDENTIAL_OWNER: { exit: 2, http: 409, hint: 'Say whose login is meant with config.owner of the credential.' },
  KIT_CREDENTIAL_UNKNOWN: { exit: 2, http: 404, hint: 'List the credentials with `kit credentials list`.' },
  KIT_LOGIN_FAILED: { exit: 1, http: 400, hint: 'Look at the server that is named, and log in again.' },
  KIT_LOGIN_STATE: { exit: 2, http: 400, hint: 'Begin the login anew, and end it in the same browser within 600 s.' },
} as const;

/** Codes of commands at a server; see `ERROR_REGISTRY`. */
export const REMOTE_ERRORS = {
  KIT_SERVER_UNREACHABLE: {
    exit: 2,
    http: 502,
    hint: 'Check the address and the network, and whether the server runs: its `/health` tells.',
  },
  KIT_SERVER_ANSWER: {
    exit: 2,
    http: 502,
    hint: 'Check that the address is that of a kit server, and that both are of one version.',
  },
  KIT_SERVER_INSECURE: {
    exit: 2,
    http: 400,
    hint: 'Use https: a token goes over plain http to this machine alone.',
  },
  KIT_REMOTE_UNSUPPORTED: {
    exit: 2,
    http: 400,
    hint: 'Run it where the workspace lies, with -w <directory> in place of --server.',
  },
} as const;
