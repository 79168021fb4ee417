import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { listParts, type Part } from '#scripts/rules/page-texts.ts';
import { root, type SourceText } from '#scripts/rules/source-tree.ts';
import { webDist } from '#boot/dashboard-build.ts';
import { languages } from '#contract/languages.ts';
import type { Measurement } from './measurement.ts';

export const goals = { firstKb: 259, firstRequests: 8, pageKb: 40 };

export interface Weights {
  /**
   * On every page: the document, the frame around pages, the overview with the code that it shares
   * with other pages, their styles, the main font, the first texts.
   */
  firstKb: number;
  /** The files of the first load, with the document and the texts. */
  firstRequests: number;
  /**
   * Each page's addition to that, with its texts in the language in which they are longest; largest
   * first.
   */
  pages: PageWeight[];
}

export interface PageWeight {
  name: string;
  /** The part that no other page loads. */
  ownKb: number;
  /** With the parts that it shares with other pages. */
  wholeKb: number;
  files: string[];
}

export async function* measure(): AsyncGenerator<Measurement> {
  if (!existsSync(join(webDist, 'index.html')))
    return console.error('bundle: web/dist is not there; npm run build:web makes it');
  const { firstKb, firstRequests, pages } = weighDashboard();
  const [heaviest] = pages.toSorted((a, b) => b.wholeKb - a.wholeKb);
  const figure = (name: string, measured: number, goal: number | null): Measurement => ({
    name,
    scale: 'web/dist',
    measured,
    unit: 'KB',
    goal,
  });
  yield figure('dashboard, first load gz, with the overview', firstKb, goals.firstKb);
  yield {
    ...figure('dashboard, files of the first load', firstRequests, goals.firstRequests),
    unit: '',
  };
  yield figure(
    `dashboard, first load gz, heaviest page (${heaviest!.name})`,
    firstKb + heaviest!.wholeKb,
    null,
  );
  for (const { name, ownKb, wholeKb } of pages)
    yield figure(
      `page gz: ${name} (${wholeKb.toFixed(0)} KB with shared parts)`,
      ownKb,
      goals.pageKb,
    );
}

/**
 * The files that a browser fetches, by the bundler's own list.
 */
export function weighDashboard(): Weights {
  const chunks = JSON.parse(readFileSync(join(webDist, '.vite/manifest.json'), 'utf8')) as Chunks;
  const html = readFileSync(join(webDist, 'index.html'), 'utf8');
  const parts = listParts([readSource('web/src/router.tsx')]);
  const document = [
    'index.html',
    ...[...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map((match) => match[1]!),
  ];
  const entries = Object.keys(chunks).filter((name) => document.includes(chunks[name]!.file));
  const first = new Set([...document, ...listFiles(chunks, entries)]);
  return {
    firstKb: weigh(first) + weighTexts(chunks, (language) => [`text-bundles/${language}.ts`]),
    firstRequests: new Set([...first, ...listNeededFonts(first)]).size + 1,
    pages: weighPages(chunks, first, parts).toSorted((a, b) => b.ownKb - a.ownKb),
  };
}

function weighPages(
  chunks: Chunks,
  before: ReadonlySet<string>,
  pages: readonly Part[],
): PageWeight[] {
  const brought = pages.map(({ entry }) =>
    listFiles(chunks, [entry.slice('web/'.length)]).filter((file) => !before.has(file)),
  );
  const isShared = (file: string) => brought.filter((files) => files.includes(file)).length > 1;
  return pages.map(({ entry, nouns }, at) => {
    const files = brought[at]!;
    const textsKb = weighTexts(chunks, (language) =>
      nouns.map((noun) => `locales/${language}/${noun}.json`),
    );
    const name = entry.split('/').at(-1)!.replace('-page.tsx', '');
    return {
      name,
      ownKb: weigh(files.filter((file) => !isShared(file))) + textsKb,
      wholeKb: weigh(files) + textsKb,
      files,
    };
  });
}

type Chunks = Record<string, { file: string; imports?: string[]; css?: string[] }>;

/** Files that load with these chunks: their imports, and the styles of all. */
function listFiles(chunks: Chunks, names: readonly string[]): string[] {
  const seen = new Set(names);
  for (const name of seen)
    for (const imported of chunkOf(chunks, name).imports ?? []) seen.add(imported);
  return [
    ...new Set(
      [...seen].flatMap((name) => [
        chunkOf(chunks, name).file,
        ...(chunkOf(chunks, name).css ?? []),
      ]),
    ),
  ];
}

function chunkOf(chunks: Chunks, name: string): Chunks[string] {
  const chunk = chunks[name];
  if (!chunk)
    throw new Error(
      `${name} is not in the bundle: web/dist is older than the sources, or the build has ` +
        'changed its form',
    );
  return chunk;
}

/** Texts in the language in which they are longest. */
function weighTexts(chunks: Chunks, filesOf: (language: string) => string[]): number {
  return Math.max(
    ...languages.map((language) =>
      weigh(filesOf(language).map((file) => chunkOf(chunks, `src/${file}`).file)),
    ),
  );
}

function weigh(listed: Iterable<string>): number {
  const all = [...listed];
  // A font that the document preloads is listed, too.
  const files = new Set([...all, ...listNeededFonts(all)]);
  const bytes = (file: string) => readFileSync(join(webDist, file));
  const size = (file: string) =>
    file.endsWith('.woff2') ? bytes(file).length : gzipSync(bytes(file), { level: 6 }).length;
  return [...files].reduce((total, file) => total + size(file), 0) / 1024;
}

function listNeededFonts(files: Iterable<string>): string[] {
  return [...files].filter((file) => file.endsWith('.css')).flatMap(listFonts);
}

/** Fonts with the letters of ASCII; browsers fetch others only when a text needs them. */
function listFonts(style: string): string[] {
  const faces = readFileSync(join(webDist, style), 'utf8').match(/@font-face\s*\{[^}]*\}/g) ?? [];
  const isNeeded = (face: string) =>
    !face.includes('unicode-range') || /unicode-range:\s*U\+(\?\?|00[0-2])/i.test(face);
  return faces
    .filter(isNeeded)
    .flatMap((face) => [...face.matchAll(/url\((?:\.\/)?([^)]+\.woff2)\)/g)])
    .map((match) => join(dirname(style), match[1]!));
}

function readSource(path: string): SourceText {
  return { path, text: readFileSync(root + path, 'utf8') };
}
