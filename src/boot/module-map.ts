import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const DOORS = ['plugin', 'command', 'testing'];

/**
 * Gives every module of this process, inside and outside a checkout, the doors and the oclif of the
 * running kit: one copy of each, and nothing to install for a plugin. Until the returned function
 * is called.
 */
export function mapKitModules(packageRoot: string): () => void {
  const root = pathToFileURL(`${packageRoot}/`);
  // `dirname`, for the url is that of the sources' own file: doors lie beside what runs, which may
  // be folded.
  const beside = pathToFileURL(`${import.meta.dirname}/`);
  const doors = new Map(DOORS.map((door) => [`@kit-run/kit/${door}`, new URL(`../sdk/${door}.js`, beside).href]));
  const parentURL = new URL('dist/boot/main.js', root).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) => {
      const door = doors.get(specifier);
      if (door !== undefined) return { url: door, format: 'module', shortCircuit: true };
      const isOclif = specifier === '@oclif/core' || specifier.startsWith('@oclif/core/');
      return next(specifier, isOclif ? { ...context, parentURL } : context);
    },
  });
  return () => hooks.deregister();
}
