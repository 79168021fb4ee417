import { readConfig, settings, type Config } from './env.ts';

/**
 * The settings of commands that use a running instance. Other variables may belong to other
 * programs, for example in CI, and so may LOG_LEVEL: a level of theirs counts as unset.
 */
export function readClientConfig(
  environment: Record<string, string | undefined> = process.env,
): Pick<Config, 'TOPRUNG_URL' | 'TOPRUNG_TOKEN' | 'LOG_LEVEL'> {
  const { TOPRUNG_URL, TOPRUNG_TOKEN, LOG_LEVEL } = environment;
  return readConfig({
    TOPRUNG_URL,
    TOPRUNG_TOKEN,
    LOG_LEVEL: isLevel(LOG_LEVEL) ? LOG_LEVEL : undefined,
  });
}

function isLevel(text = ''): boolean {
  try {
    settings.LOG_LEVEL.parse(text.trim());
    return true;
  } catch {
    return false;
  }
}
