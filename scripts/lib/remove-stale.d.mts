export function removeStale(root: string, projects: readonly string[]): Promise<void>;
