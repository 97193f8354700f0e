/**
 * What a pattern asks for, in words, and whether a value that breaks it may be a secret and so is
 * never repeated.
 */
export interface PatternWords {
  readonly wants: string;
  readonly hidesValue?: boolean;
}

/** Every pattern of schemas/kinds; a test keeps the table complete. */
export const PATTERN_WORDS: Readonly<Record<string, PatternWords>> = {
  '^[a-z][a-z0-9-]*$': { wants: 'lower-case letters, digits and dashes, beginning with a letter' },
  '^\\d+\\.\\d+\\.\\d+$': { wants: 'three numbers such as 1.2.3' },
  '^([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])(:[0-9]{1,5})?$': {
    wants: 'a host such as kit.example.com or kit.lan:8443',
  },
  '^[A-Za-z0-9._:-]{1,253}(/[0-9]{1,3})?$': { wants: 'a host, an address, or a range such as 10.2.0.0/16' },
  '^https?://[^\\s/]+[^\\s]*$': { wants: 'an address such as https://kit.example.com' },
  '^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$': { wants: 'a scope such as design:approve' },
  '^[a-z][a-z0-9_-]*:[a-z*][a-z0-9_*-]*$': { wants: 'a scope such as repo:read' },
  '^(?:(?:pack|server):)?[a-z][a-z0-9-]*$': { wants: 'a skill id, `pack:<pack id>` or `server:<server id>`' },
  '^[a-z][a-z0-9_-]*$': { wants: 'lower-case letters, digits, dashes and underscores, beginning with a letter' },
  '^[a-z][a-z0-9-]*(?:@\\d+\\.\\d+\\.\\d+)?$': { wants: 'the name of a topology, or name@1.2.3' },
  '^>=\\d+\\.\\d+\\.\\d+$': { wants: 'a lowest version such as >=1.200.0' },
  '^(>=|<=|==|>|<)\\s*\\d+(?:\\.\\d+){0,3}$': { wants: 'a comparison with a version, such as ">=2.40"' },
  '^[1-9][0-9]*[smhd]$': { wants: 'a duration such as 30m, 72h or 7d' },
  '^~/': { wants: 'a folder of the user such as ~/.tool' },
  '^[A-Z][A-Z0-9_]*$': { wants: 'the name of an environment variable', hidesValue: true },
  '^(env|file|credentials):.+$': { wants: '`env:NAME`, `file:PATH` or `credentials:NAME`', hidesValue: true },
  '^(?![\\s\\S]*\\{credential\\.)': {
    wants: 'free of `{credential...}`, which would show in process lists; pass it through `env`',
  },
};
