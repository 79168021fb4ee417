import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { readConfig, settings, type Config } from './env.ts';

const path = '.env';

/**
 * The settings of the instance in this folder: values of `.env` that the environment does not set.
 * `demo` and `mcp` do not read it, because `demo` needs no settings and `mcp` runs in the folder of
 * an AI client.
 */
export function readInstanceConfig(): Config {
  if (existsSync(path)) process.loadEnvFile(path);
  return readConfig();
}

/** Names and values of `.env`; none without that file. */
export function readEnvFile(): Record<string, string | undefined> {
  return existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {};
}

/** OpenTelemetry's exporters read settings of their own. */
const isOfExporters = (name: string) => /^OTEL_[A-Z_]+$/.test(name);

/** Names in `.env` that are no settings, such as misspelt ones. */
export function listUnknownNames(): string[] {
  return Object.keys(readEnvFile()).filter((name) => !(name in settings) && !isOfExporters(name));
}
