/** The generated files that need no database, and whether they are still what they are made from. */
import { existsSync, readFileSync } from 'node:fs';
import { generateConfigurationPage, generateEnvExample } from './generate-settings.ts';
import { root } from './rules/tree.ts';

export interface GeneratedFile {
  path: string;
  text: string;
}

/** Two runs over the same sources give the same bytes. */
export async function makeGeneratedFiles(): Promise<GeneratedFile[]> {
  return [
    { path: '.env.example', text: generateEnvExample() },
    { path: 'docs/configuration.md', text: generateConfigurationPage() },
    ...(await makeOpenApi()),
  ];
}

async function makeOpenApi(): Promise<GeneratedFile[]> {
  const path = 'src/api/openapi.ts';
  if (!existsSync(root + path)) return [];
  const { buildOpenApi } = (await import(`../${path}`)) as { buildOpenApi: () => unknown };
  return [
    { path: 'docs/openapi.json', text: `${JSON.stringify(await buildOpenApi(), null, 2)}\n` },
  ];
}

export async function findDrift(): Promise<string[]> {
  const files = await makeGeneratedFiles();
  return files
    .filter(
      (file) =>
        !existsSync(root + file.path) || readFileSync(root + file.path, 'utf8') !== file.text,
    )
    .map((file) => file.path);
}
