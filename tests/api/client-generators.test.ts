import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildOpenApi } from '#api/openapi.ts';
import { installPackages, type NpmPackages } from '../harness/npm-packages.ts';

const packages = {
  'openapi-typescript': '7.13.0',
  '@hey-api/openapi-ts': '0.99.0',
  orval: '8.38.0',
  '@kubb/cli': '4.39.2',
  '@kubb/core': '4.39.3',
  '@kubb/plugin-oas': '4.39.3',
  '@kubb/plugin-ts': '4.39.3',
  '@kubb/plugin-client': '4.39.3',
  'swagger-typescript-api': '13.13.0',
  // The generators read and print code with it.
  typescript: '5.9.3',
};
const compiler = fileURLToPath(new URL('../../node_modules/tsgo/bin/tsc', import.meta.url));

interface Generator {
  program: string;
  /** The client is written into a folder with the name of the generator. */
  options: readonly string[];
  /** Written beside the document. */
  config?: readonly [file: string, text: string];
  /** The name of the listing change in the generated code. */
  changeType: string;
}

const orvalConfig = `export default {
  toprung: {
    input: './openapi.json',
    output: { mode: 'tags-split', client: 'fetch', target: './orval/toprung.ts',
      schemas: './orval/model' },
  },
};`;

// Fault of @kubb/plugin-client 4.39.3: its type declarations import a JavaScript file without
// types, so a client that imports the package does not compile. A bundled one does not import it.
const kubbConfig = `import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

export default defineConfig({
  root: '.',
  input: { path: './openapi.json' },
  output: { path: './kubb', format: false, lint: false },
  plugins: [pluginOas(), pluginTs(), pluginClient({ client: 'fetch', bundle: true })],
});`;

const generators: Record<string, Generator> = {
  'openapi-typescript': {
    program: 'openapi-typescript/bin/cli.js',
    options: ['openapi.json', '--output', 'openapi-typescript/schema.ts'],
    changeType: `import('./openapi-typescript/schema').components['schemas']['Change']`,
  },
  'hey-api': {
    program: '@hey-api/openapi-ts/bin/run.js',
    options: ['--input', 'openapi.json', '--output', 'hey-api'],
    changeType: `import('./hey-api/types.gen').Change`,
  },
  orval: {
    program: 'orval/dist/bin/orval.mjs',
    options: ['--config', 'orval.config.mjs'],
    config: ['orval.config.mjs', orvalConfig],
    changeType: `import('./orval/model/change').Change`,
  },
  kubb: {
    program: '@kubb/cli/bin/kubb.cjs',
    options: ['generate', '--config', 'kubb.config.mjs'],
    config: ['kubb.config.mjs', kubbConfig],
    changeType: `import('./kubb/types/Change').Change`,
  },
  'swagger-typescript-api': {
    program: 'swagger-typescript-api/dist/cli.mjs',
    options: ['generate', '--path', 'openapi.json', '--output', 'swagger-typescript-api'],
    changeType: `import('./swagger-typescript-api/Api').Change`,
  },
};

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  types: [],
  skipLibCheck: false,
};

/** Compiles only if the types of a client are the contract's: a wrong type must be an error. */
const formatUse = (changeType: string) => `
type Change = ${changeType};
export const id: Change['id'] = 5;
// @ts-expect-error An id is a number.
export const text: Change['id'] = 'five';
// @ts-expect-error A change has no such member.
export type Missing = Change['shop'];
`;

describe.runIf(process.env.TORTURE)('a client by a public generator', () => {
  let programs: NpmPackages | null = null;
  const document = buildOpenApi();

  beforeAll(async () => {
    programs = await installPackages(packages);
    if (programs === null) return;
    await writeFile(join(programs.folder, 'openapi.json'), JSON.stringify(document));
  });
  afterAll(() => programs?.remove());
  beforeEach(({ skip }) => {
    if (programs === null) skip('the npm registry cannot be reached');
  });

  async function generate(name: string): Promise<string> {
    const { program, options, config } = generators[name]!;
    const { folder, run } = programs!;
    if (config) await writeFile(join(folder, config[0]), config[1]);
    const { code, out, errors } = await run(program, options);
    expect([code, code === 0 ? '' : out + errors]).toEqual([0, '']);
    const files = await readdir(join(folder, name), { recursive: true });
    const sources = files.filter((file) => file.endsWith('.ts'));
    const texts = sources.map((file) => readFile(join(folder, name, file), 'utf8'));
    return (await Promise.all(texts)).join('\n');
  }

  /** What the compiler reports, on the client and a file that uses it. */
  async function compile(name: string): Promise<string> {
    const { folder, run } = programs!;
    await writeFile(join(folder, `use-${name}.ts`), formatUse(generators[name]!.changeType));
    const project = { compilerOptions, include: [name, `use-${name}.ts`] };
    await writeFile(join(folder, `tsconfig.${name}.json`), JSON.stringify(project));
    const { code, out, errors } = await run(compiler, ['-p', `tsconfig.${name}.json`]);
    return code === 0 ? '' : (out + errors).slice(0, 2_000);
  }

  test.each(Object.keys(generators))(
    '%s has every operation and compiles strictly',
    async (name) => {
      const client = await generate(name);
      const words = client.toLowerCase();
      const missing = listOperationIds(document).filter((id) => !words.includes(id.toLowerCase()));
      expect(missing).toEqual([]);
      expect(await compile(name)).toBe('');
    },
  );
});

function listOperationIds(document: ReturnType<typeof buildOpenApi>): string[] {
  return Object.values(document.paths as Record<string, Record<string, { operationId?: string }>>)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId }) => operationId ?? []);
}
