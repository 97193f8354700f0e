import { KitError } from './errors.js';

/**
 * Packages that one feature needs, by name: what needs them, and the version that is tested. They
 * are installed by those who use the feature (optional peers in package.json).
 */
export const OPTIONAL_PACKAGES = {
  '@cedar-policy/cedar-wasm': { feature: 'policies in Cedar', version: '4.13.0' },
  '@microsoft/agent-governance-sdk': { feature: 'the governance provider agt', version: '4.0.0' },
  '@open-policy-agent/opa-wasm': { feature: 'policies in compiled Rego', version: '1.10.0' },
  pg: { feature: 'a store in PostgreSQL', version: '8.23.1' },
  s3mini: { feature: 'the artifact store s3', version: '1.0.2' },
  unpdf: { feature: 'reading of PDF documents', version: '1.8.1' },
} as const satisfies Record<string, { readonly feature: string; readonly version: string }>;

export type OptionalPackage = keyof typeof OPTIONAL_PACKAGES;

/** Node's codes for a module that is nowhere, by `import` and by `require`. */
const isAbsence = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND');

/** The sentence that says how to install a package: a hint of whoever finds that it is missing. */
export const installHint = (name: OptionalPackage): string =>
  `Run \`npm install --global ${name}@${OPTIONAL_PACKAGES[name].version}\`, or without --global in a project that has kit as a dependency.`;

/** KIT_PACKAGE_MISSING for a package that is not there, with the command that installs it. */
export function packageMissing(name: OptionalPackage, cause?: unknown): KitError {
  const { feature, version } = OPTIONAL_PACKAGES[name];
  return new KitError('KIT_PACKAGE_MISSING', `${feature} needs the package ${name}, which is not installed`, {
    hint: installHint(name),
    cause,
    data: { package: name, version },
  });
}

/**
 * What `load` imports of an optional package: `importOptional('unpdf', () => import('unpdf'))`.
 *
 * Throws KIT_PACKAGE_MISSING when the package is not there, and otherwise what the import throws.
 */
export async function importOptional<T>(name: OptionalPackage, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw isAbsence(error) ? packageMissing(name, error) : error;
  }
}
