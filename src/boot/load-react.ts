/**
 * Loads what draws with React in React's production build: the other one keeps a measurement of
 * every drawing for as long as the process lives, which is memory that grows with each key and each
 * tick. React asks NODE_ENV while it is loaded, and nobody else is to see the answer.
 */
export async function loadReact<T>(env: NodeJS.ProcessEnv, load: () => Promise<T>): Promise<T> {
  const before = env.NODE_ENV;
  env.NODE_ENV = 'production';
  try {
    return await load();
  } finally {
    if (before === undefined) delete env.NODE_ENV;
    else env.NODE_ENV = before;
  }
}
