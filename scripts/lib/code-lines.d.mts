export function isCounted(path: string): boolean;
export function countLines(path: string, text: string): { readonly lines: number; readonly code: number };
