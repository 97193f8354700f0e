export function eventsPage(root: string): Promise<string>;
