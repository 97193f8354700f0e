const DEFAULT_PORT = '5432';

interface Named {
  readonly host: string;
  readonly port: string;
  readonly database: string;
}

/**
 * True when two PostgreSQL URLs name one database: user, password and parameters of the connection
 * may differ. Two names of one host are two hosts here; who opens the second one finds out.
 */
export function isSameDatabase(one: string, other: string): boolean {
  const [a, b] = [named(one), named(other)];
  if (a === null || b === null) return one === other;
  return a.host === b.host && a.port === b.port && a.database === b.database;
}

function named(text: string): Named | null {
  const url = URL.parse(text);
  if (url === null) return null;
  const { searchParams } = url;
  const user = decoded(url.username);
  return {
    host: (searchParams.get('host') ?? decoded(url.hostname)).toLowerCase() || 'localhost',
    port: (searchParams.get('port') ?? url.port) || DEFAULT_PORT,
    database: decoded(url.pathname.slice(1)) || user,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
