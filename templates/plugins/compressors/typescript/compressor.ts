import type { JsonObject, PluginContext } from '@kit-run/kit/plugin';
import { defineCompressor } from '@kit-run/kit/plugin';

/**
 * Lines that stand there several times in a row, as logs have them, become one line with a count.
 */
function folded(text: string) {
  const runs: { line: string; count: number }[] = [];
  for (const line of text.split('\n')) {
    const last = runs.at(-1);
    if (last?.line === line) last.count += 1;
    else runs.push({ line, count: 1 });
  }
  return runs.map(({ line, count }) => (count === 1 ? line : `${line} (${count} times)`)).join('\n');
}

/** @param _config always {} */
function create(_config: JsonObject, _plugin: PluginContext) {
  return {
    /**
     * null leaves the text as it is. The same text has to give the same answer.
     * @param text the whole result of one call
     * @param _of where it comes from
     */
    compress(text: string, _of: { tool: string; server: string | null }): string | null {
      const shorter = folded(text);
      return shorter.length < text.length ? shorter : null;
    },
  };
}

/** Compressor `sample-name`. */
export const contribution = defineCompressor({ create });
