import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigError, readConfig, settings, type Config } from './env.ts';

const path = '.env';

/**
 * The settings of the instance in this folder: values of `.env` that the environment does not set.
 * `demo` and `mcp` do not read it, because `demo` needs no settings and `mcp` runs in the folder of
 * an AI client.
 */
export function readInstanceConfig(): Config {
  for (const [name, value] of Object.entries(readEnvFile())) process.env[name] ??= value;
  return readConfig();
}

/** Names and values of `.env`; none without that file. */
export function readEnvFile(): Record<string, string | undefined> {
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new ConfigError([`${resolve(path)} must be a file that this user may read: ${code}`]);
  }
}

/** OpenTelemetry's exporters read settings of their own. */
const isOfExporters = (name: string) => /^OTEL_[A-Z_]+$/.test(name);

/** Names in `.env` that are no settings, such as misspelt ones. */
export function listUnknownNames(): string[] {
  return Object.keys(readEnvFile()).filter((name) => !(name in settings) && !isOfExporters(name));
}
