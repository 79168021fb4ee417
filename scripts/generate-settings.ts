import { settings } from '#config/env.ts';

const entries = Object.entries(settings) as [
  string,
  { fallback: string | null; meaning: string; secret?: true },
][];

export function generateEnvExample(): string {
  const blocks = entries.map(
    ([name, setting]) => `# ${setting.meaning}\n# ${name}=${setting.fallback ?? ''}`,
  );
  return (
    '# Made by npm run generate from src/config/env.ts. Every setting is ' +
    `optional.\n\n${blocks.join('\n\n')}\n`
  );
}

export function generateConfigurationPage(): string {
  const rows = entries.map(
    ([name, setting]) =>
      `| \`${name}\` | ${setting.fallback ? `\`${setting.fallback}\`` : '–'} | ` +
      `${setting.meaning}${setting.secret ? ' *Secret.*' : ''} |`,
  );
  return (
    '# Configuration\n\nMade by `npm run generate` from `src/config/env.ts`. Every setting ' +
    'is optional; `npm start` and the commands of the instance read the environment and the ' +
    '`.env` file of the folder they are started in; what the environment has counts.\n\n| ' +
    `name | default | meaning |\n|---|---|---|\n${rows.join('\n')}\n`
  );
}
