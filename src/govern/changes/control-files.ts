/**
 * Files of a repository that coding harnesses, editors and git obey without being asked: who writes
 * one decides what the next session may do. A name that ends with `/` is a folder with all it
 * holds; a name without a slash before its end may lie in any folder.
 */
export const CONTROL_FILES: readonly string[] = [
  '.claude/',
  '.mcp.json',
  '.codex/',
  '.gemini/',
  '.qwen/',
  '.opencode/',
  'opencode.json',
  'opencode.jsonc',
  '.cursor/',
  '.vscode/',
  '.idea/',
  '.husky/',
  '.envrc',
  '.gitmodules',
];

/** Git's own files, and kit's. */
const OWN: readonly string[] = ['.git/', '.git', '.kit/', '.kit', '.kit-mcp.json'];

/**
 * Why a path of a change is not written without somebody's word; null = it is a file like any
 * other. Names are compared without case, as some file systems do.
 */
export function heldPath(path: string): string | null {
  if (matches(path, OWN)) return 'belongs to git or kit';
  return matches(path, CONTROL_FILES) ? 'decides what programs do in this repository' : null;
}

function matches(path: string, names: readonly string[]): boolean {
  const parts = path.toLowerCase().split('/');
  return names.some((name) =>
    name.endsWith('/') ? parts.slice(0, -1).includes(name.slice(0, -1)) : parts.at(-1) === name,
  );
}

/** True for a symbolic link whose target does not lie in the repository. */
export function leadsOut(path: string, target: string): boolean {
  if (target.startsWith('/') || /^[a-z]:|\\/i.test(target)) return true;
  let depth = path.split('/').length - 1;
  for (const part of target.split('/')) {
    if (part === '..') depth -= 1;
    else if (part !== '' && part !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}
