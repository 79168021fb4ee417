import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Record<string, string | undefined>;

/** The folder for settings of this user, by the XDG base directory specification. */
export function configFolder(environment: Environment = process.env): string {
  const named = environment.XDG_CONFIG_HOME ?? '';
  // The specification ignores relative paths.
  return join(isAbsolute(named) ? named : join(homedir(), '.config'), 'toprung');
}

/** False with NO_COLOR (no-color.org), and on terminals that know no colours. */
export const allowsColor = (environment: Environment = process.env): boolean =>
  (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb';

/** The variables that GitHub's runner sets for the steps of a job; null where one is not set. */
export function readRunnerEnvironment(environment: Environment = process.env) {
  const read = (name: string) => environment[name]?.trim() || null;
  return {
    input: (name: string) => read(`INPUT_${name.replaceAll('-', '_').toUpperCase()}`),
    eventName: read('GITHUB_EVENT_NAME'),
    eventPath: read('GITHUB_EVENT_PATH'),
    repository: read('GITHUB_REPOSITORY'),
    apiUrl: read('GITHUB_API_URL'),
    workspace: read('GITHUB_WORKSPACE'),
    outputFile: read('GITHUB_OUTPUT'),
    summaryFile: read('GITHUB_STEP_SUMMARY'),
  };
}
export type RunnerEnvironment = ReturnType<typeof readRunnerEnvironment>;
