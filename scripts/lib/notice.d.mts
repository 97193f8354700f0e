export function packageFolderOf(file: string): string | null;
export function noticeOf(files: readonly string[]): Promise<string>;
