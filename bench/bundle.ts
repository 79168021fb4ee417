import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { webDist } from '../src/boot/web-build.ts';
import type { Figure } from './figure.ts';

const goalKb = 260;

/**
 * What a browser fetches before any page: the document, scripts, styles and the font of its letters. Pages are chunks of
 * their own, charts come after; the heaviest page is shown with all it brings along.
 */
export async function* measure(): AsyncGenerator<Figure> {
  const page = join(webDist, 'index.html');
  if (!existsSync(page)) return console.error('bundle: web/dist is not there; npm run build:web makes it');
  const html = readFileSync(page, 'utf8');
  const start = new Set(['index.html', ...[...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map((match) => match[1]!)]);
  const lazy = listLazyParts([...start]);
  const frame = lazy.filter(({ name }) => name.includes('frame')).flatMap(({ files }) => files);
  const loads = lazy
    .filter(({ name }) => name.includes('-page'))
    .map(({ name, files }) => ({ name: name.replace(/-page-.*$/, ''), kb: weigh(new Set([...start, ...frame, ...files])) }))
    .toSorted((a, b) => b.kb - a.kb);
  const [heaviest] = loads;
  if (!heaviest) throw new Error('no page was found in the bundle: has the build changed its form?');
  yield { name: 'dashboard, first load gz, before any page', scale: 'web/dist', measured: weigh(start), unit: 'KB', goal: goalKb };
  yield { name: `dashboard, first load gz, heaviest page (${heaviest.name})`, scale: 'web/dist', measured: heaviest.kb, unit: 'KB', goal: null };
}

/** What the bundler wrote beside each dynamic import: the files that go with it. */
function listLazyParts(scripts: string[]): { name: string; files: string[] }[] {
  return scripts
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => {
      const code = readFileSync(join(webDist, file), 'utf8');
      const list =
        /m\.f=\[([^\]]*)\]/
          .exec(code)?.[1]
          ?.split(',')
          .map((text) => text.slice(1, -1)) ?? [];
      return [...code.matchAll(/import\([`"']\.\/([^`"']+)[`"']\).{0,80}?__vite__mapDeps\(\[([\d,]*)\]\)/g)].map(([, name, indexes]) => ({
        name: name!,
        files: [
          `assets/${name}`,
          ...indexes!
            .split(',')
            .filter(Boolean)
            .map((index) => list[Number(index)]!),
        ],
      }));
    });
}

function weigh(files: ReadonlySet<string>): number {
  const styles = [...files].filter((file) => file.endsWith('.css'));
  const fonts = new Set(styles.flatMap(listFonts));
  const bytes = (file: string) => readFileSync(join(webDist, file));
  const sum = [...files].reduce((total, file) => total + gzipSync(bytes(file), { level: 6 }).length, 0);
  return (sum + [...fonts].reduce((total, file) => total + bytes(file).length, 0)) / 1024;
}

/** Fonts with the letters of ASCII; browsers fetch others only when a text needs them. */
function listFonts(style: string): string[] {
  const faces = readFileSync(join(webDist, style), 'utf8').match(/@font-face\s*\{[^}]*\}/g) ?? [];
  const isNeeded = (face: string) => !face.includes('unicode-range') || /unicode-range:\s*U\+(\?\?|0{1,4}-)/i.test(face);
  return faces.filter(isNeeded).flatMap((face) => [...face.matchAll(/url\(\/?([^)]+\.woff2)\)/g)].map((match) => match[1]!));
}
