/**
 * Credential sources that kit itself reads; every other one is a plugin's
 * (docs/design/decisions.md#credential-sources).
 */
export const isOwnSource = ({ source }: { readonly source: string }): boolean => source === 'env' || source === 'file';
