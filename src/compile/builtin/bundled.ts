/** Path prefix of artifacts that come with a plugin instead of the workspace. */
export const BUNDLED_PREFIX = 'bundled:';

export const isBundled = (artifact: { readonly path: string }): boolean => artifact.path.startsWith(BUNDLED_PREFIX);
