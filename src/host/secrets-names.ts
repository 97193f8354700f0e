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

/**
 * Where a name of a workspace gets its value, and whether its property file lists it as a secret.
 */
export interface WrittenNames {
  readonly lookup: (name: string) => string | undefined;
  readonly isDeclared: (name: string) => boolean;
}

/** `max_turns: ${TURNS_PER_TOKEN}`: a number or a switch would blacken every other one like it. */
const SCALAR = /^(?:true|false|-?\d{1,15}(?:\.\d{1,15})?)$/;

/**
 * The secrets that the artifacts of a workspace were written with, as `--token ${API_TOKEN}` in the
 * argv of a command. Such a text is expanded before anything runs, so that nobody resolves it again
 * and only its name tells that it is one.
 */
export function writtenSecrets(names: Iterable<string>, { lookup, isDeclared }: WrittenNames): readonly string[] {
  return [...names].flatMap((name) => {
    const value = lookup(name) ?? '';
    return isDeclared(name) || (isSecretVariable(name, value) && !SCALAR.test(value)) ? [value] : [];
  });
}
