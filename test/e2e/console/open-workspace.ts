import { gated } from '../review/gated-workspace.js';
import { SERVER } from './served-console.js';

/** The gated release beside everything that a page shows: memory is on. */
export function openWorkspace(): Record<string, string> {
  const files = gated({ workspace: SERVER });
  const { 'workspace.yaml': text = '' } = files;
  return { ...files, 'workspace.yaml': text.replace('memory: { enabled: false }', 'memory: {}') };
}
