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
