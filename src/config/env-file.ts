import { existsSync } from 'node:fs';
import { readConfig, type Config } from './env.ts';

/**
 * The settings of the instance in this folder: of `.env` what the environment does not have. `demo` and `mcp` are no
 * instance's: one needs none of its settings, the other runs in whatever folder an AI client has open.
 */
export function readInstanceConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfig();
}
