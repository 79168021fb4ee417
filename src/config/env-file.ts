import { existsSync } from 'node:fs';
import { readConfig, type Config } from './env.ts';

/**
 * The settings of the instance in this folder: values of `.env` that the environment does not set.
 * `demo` and `mcp` do not read it, because `demo` needs no settings and `mcp` runs in the folder of
 * an AI client.
 */
export function readInstanceConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfig();
}
