import { readEnvFile } from './env-file.ts';
import { settings, type Setting } from './env.ts';

export interface DescribedSetting {
  name: string;
  source: 'environment' | 'file' | 'default' | 'unset';
  /** Null for secrets, for addresses of people, and for what is unset. */
  value: string | null;
}

type Environment = Record<string, string | undefined>;

/** Every setting, where its value comes from, and the values that anybody may read. */
export function describeSettings(
  environment: Environment = process.env,
  file: Environment = readEnvFile(),
): DescribedSetting[] {
  return Object.entries<Setting<unknown>>(settings).map(([name, setting]) => {
    const given = environment[name]?.trim() || null;
    const value = given ?? setting.fallback;
    const isPublic = !setting.secret && !setting.isPersonal;
    return {
      name,
      source: sourceOf(value, given, file[name]?.trim()),
      value: isPublic && value !== null ? withoutCredentials(value) : null,
    };
  });
}

/** The values of settings that nobody may read. */
export function listSecretValues(environment: Environment = process.env): string[] {
  return Object.entries<Setting<unknown>>(settings).flatMap(([name, setting]) => {
    const given = environment[name]?.trim();
    return given && (setting.secret || setting.isPersonal) ? [given] : [];
  });
}

function sourceOf(
  value: string | null,
  given: string | null,
  inFile: string | undefined,
): DescribedSetting['source'] {
  if (given !== null) return given === inFile ? 'file' : 'environment';
  return value === null ? 'unset' : 'default';
}

/** An address may have a user, a password or a token in its query. */
function withoutCredentials(value: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value) || !URL.canParse(value)) return value;
  return Object.assign(new URL(value), { username: '', password: '', search: '', hash: '' }).href;
}
