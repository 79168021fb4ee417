/** What the pages for people name exists. */
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { rooms } from './walls.ts';
import { root, type Finding, type SourceText } from './tree.ts';

type Exists = (path: string) => boolean;

const onDisk: Exists = (path) => existsSync(root + path);
/** In these, a path in backticks is a promise too. */
const maps = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/operations.md'];
const linked = /\]\(([^)\s]+)\)/g;
const quoted = /`([^`\n]+)`/g;
const looksLikePath = /^[\w.@-]+(\/[\w.@-]+)*\/?$/;
const knownEnding = /[\w-]\.(ts|tsx|md|json|sql|css|html|yml|png)$/;
const madeLater = ['node_modules', 'web/dist', 'data', '.tmp'];

export function findDeadPaths(files: readonly SourceText[], exists: Exists = onDisk): Finding[] {
  return files
    .filter((file) => file.path.endsWith('.md'))
    .flatMap((file) =>
      file.text.split('\n').flatMap((text, index) => {
        const paths = [
          ...linksOf(file.path, text, exists),
          ...(maps.includes(file.path) ? quotesOf(text, exists) : []),
        ];
        return paths.map((path) => ({
          path: file.path,
          line: index + 1,
          problem: `${path} does not exist`,
        }));
      }),
    );
}

function linksOf(page: string, text: string, exists: Exists): string[] {
  return [...text.matchAll(linked)]
    .map((match) => match[1]!.replace(/#.*$/, ''))
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link))
    .filter((link) => !exists(posix.join(posix.dirname(page), link)));
}

/** `domain/runs/tick.ts` counts as `src/domain/runs/tick.ts`. Words, addresses and patterns are not paths. */
function quotesOf(text: string, exists: Exists): string[] {
  return [...text.matchAll(quoted)]
    .map((match) => match[1]!)
    .filter((word) => looksLikePath.test(word) && (knownEnding.test(word) || isFolder(word)))
    .filter((word) => !madeLater.some((path) => word.startsWith(path)) && !word.startsWith('..'))
    .filter((word) => !exists(word) && !exists(`src/${word}`));
}

function isFolder(word: string): boolean {
  const first = word.split('/')[0]!;
  return (
    word.includes('/') &&
    (first in rooms || ['src', 'tests', 'scripts', 'docs', 'bench', 'ops', 'web'].includes(first))
  );
}

/** Every `npm run …` that is written down is a script of package.json. */
export function findDeadScripts(files: readonly SourceText[]): Finding[] {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    scripts: Record<string, string>;
  };
  return files
    .filter((file) => file.path.endsWith('.md') || file.path === '.ci/run')
    .flatMap((file) =>
      file.text
        .split('\n')
        .flatMap((text, index) =>
          [...text.matchAll(/npm run (?:-s )?([a-z][a-z:]*)/g)]
            .filter((match) => !(match[1]! in scripts))
            .map((match) => ({
              path: file.path,
              line: index + 1,
              problem: `npm run ${match[1]} is not in package.json`,
            })),
        ),
    );
}

/** The table of rooms in ARCHITECTURE.md says what the walls say. */
export function findStaleRooms(files: readonly SourceText[]): Finding[] {
  const page = files.find((file) => file.path === 'ARCHITECTURE.md');
  if (!page) return [];
  const lines = page.text.split('\n');
  return Object.entries(rooms).flatMap(([room, may]) => {
    const wanted = may.join(', ') || 'nothing of ours';
    const index = lines.findIndex((text) => text.startsWith(`| \`${room}\` |`));
    if (index === -1)
      return [{ path: page.path, line: 1, problem: `the room ${room} is not in the table` }];
    const said = lines[index]!.split('|').at(-2)!.replaceAll('`', '').trim();
    return said === wanted
      ? []
      : [{ path: page.path, line: index + 1, problem: `${room} may import: ${wanted}` }];
  });
}
