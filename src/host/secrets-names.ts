/** At the end of a word of the name: `GIT_AUTHOR_NAME` and `PWD` hide nothing. */
const SECRET_NAME = /(key|token|secret|password|passwd|passphrase|_pwd|credential|auth|cookie|header)s?(_|\d|$)/i;
/** `scheme://user:password@host` */
const USERINFO = /^[a-z][a-z0-9+.-]*:\/\/[^/\s]*:[^/\s@]*@/i;

/**
 * Whether the value of a variable is hidden in output: by its name
 * (docs/design/workspace.md#secret-names), or because it is a URL with a password in it. `HOME` and
 * `PATH` are not: masking them would make every message unreadable.
 */
export function isSecretVariable(name: string, value: string): boolean {
  return SECRET_NAME.test(name) || USERINFO.test(value);
}
