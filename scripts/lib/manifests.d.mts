/**
 * The oclif manifest of a plugin directory as text; throws when a command module cannot be loaded.
 */
export function manifestOf(directory: string): Promise<string>;
