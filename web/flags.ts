import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const name = 'virtual:flags';
const folder = join(
  dirname(createRequire(import.meta.url).resolve('country-flag-icons/package.json')),
  '3x2',
);

/** The flags of the countries, by lowercase code. */
function readFlags(): Map<string, string> {
  const files = readdirSync(folder).filter((file) => /^[A-Z]{2}\.svg$/.test(file));
  return new Map(
    files.map((file) => [file.slice(0, 2).toLowerCase(), readFileSync(join(folder, file), 'utf8')]),
  );
}

/** Countries with many apps. Their flags are part of the code: 3 KB instead of a request each. */
const frequent = 'us gb de fr jp kr cn br in ca au it es mx nl'.split(' ');

/**
 * Adds a file for each flag, of which a page loads only those that it shows. They share one hash,
 * so that no list of 250 names is part of the first load.
 */
export function flags(): Plugin {
  const all = readFlags();
  const version = hash('sha256', [...all.values()].join('\n')).slice(0, 8);
  const fileOf = (code: string) => `assets/flag-${code}-${version}.svg`;
  const sources = frequent.map((country) => [country, toAddress(all.get(country)!)]);
  const code = `export const version = '${version}';
export const frequentFlags = ${JSON.stringify(Object.fromEntries(sources))};`;
  return {
    name: 'toprung-flags',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? code : undefined),
    generateBundle() {
      for (const [code, source] of all)
        this.emitFile({ type: 'asset', fileName: fileOf(code), source });
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const [, code = ''] = /^\/assets\/flag-(\w\w)-/.exec(request.url ?? '') ?? [];
        const source = all.get(code);
        if (source === undefined) return next();
        response.setHeader('content-type', 'image/svg+xml');
        response.end(source);
      });
    },
  };
}

/** Compresses better than base64. */
function toAddress(svg: string): string {
  const text = svg.replaceAll('"', "'").replaceAll(/[%#<>]/g, encodeURIComponent);
  return `data:image/svg+xml,${text}`;
}
