import { registerHooks } from 'node:module';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

const EXPORTS = ['plugin', 'command', 'testing', 'view', 'wire'];
/** A file at the top of `text/` is an export. */
const TEXT_EXPORT = /^@kit-run\/kit\/(text\/[a-z-]+)$/;
/** Packages beside kit that a plugin need not bring along; one that does has its own. */
const SHARED = ['react', 'ink'];

const isOf = (names: readonly string[], specifier: string): boolean =>
  names.some((name) => specifier === name || specifier.startsWith(`${name}/`));

/** Of a module below `plugins/`: the plugin's folder, and the path in its build. */
const BUILT = /^([^/]+)\/dist\/(.+)$/;

/**
 * Gives every module of this process, inside and outside a checkout, the exports and the oclif of
 * the running kit: one copy of each, and nothing to install for a plugin. React and Ink of kit
 * serve whoever has none. Where kit is folded, so are its own plugins: their modules are taken from
 * there. Until the returned function is called.
 */
export function mapKitModules(packageRoot: string): () => void {
  const root = pathToFileURL(`${packageRoot}/`);
  // `dirname`, for the url is that of the sources' own file: exports lie beside what runs, which
  // may be folded.
  const beside = pathToFileURL(`${import.meta.dirname}/`);
  const urls = new Map(EXPORTS.map((name) => [`@kit-run/kit/${name}`, new URL(`../sdk/${name}.js`, beside).href]));
  const urlOf = (specifier: string): string | undefined => {
    const [, text] = TEXT_EXPORT.exec(specifier) ?? [];
    return text === undefined ? urls.get(specifier) : new URL(`../${text}.js`, beside).href;
  };
  const plugins = new URL('plugins/', root).href;
  const isFolded = basename(dirname(import.meta.dirname)) === 'program';
  /** The address of an own plugin's module where it is folded; undefined = it is none. */
  const foldedPlugin = (specifier: string): string | undefined => {
    if (!isFolded || !specifier.startsWith(plugins)) return undefined;
    const [, plugin, path] = BUILT.exec(specifier.slice(plugins.length)) ?? [];
    return path === undefined ? undefined : new URL(`../${plugin}/${path.replaceAll('/', '.')}`, beside).href;
  };
  const parentURL = new URL('dist/boot/main.js', root).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const known = urlOf(specifier) ?? foldedPlugin(specifier);
      if (known !== undefined) return { url: known, format: 'module', shortCircuit: true };
      if (isOf(['@oclif/core'], specifier)) return next(specifier, { ...context, parentURL });
      if (!isOf(SHARED, specifier)) return next(specifier, context);
      try {
        return next(specifier, context);
      } catch {
        return next(specifier, { ...context, parentURL });
      }
    },
  });
  return () => hooks.deregister();
}
