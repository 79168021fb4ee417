/** Paths and scripts named in documents exist. */
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { modules } from './module-boundaries.ts';
import { root, type Finding, type SourceText } from './source-tree.ts';

type Exists = (path: string) => boolean;

const onDisk: Exists = (path) => existsSync(root + path);
/** In these, a path in backticks must exist too. */
const hasCheckedPaths = ({ path }: SourceText): boolean =>
  ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'].includes(path) || path.startsWith('docs/');
const linked = /\]\(([^)\s]+)\)/g;
const quoted = /`([^`\n]+)`/g;
/** A file of a checkout, in a command: `node /opt/toprung/src/cli/main.js`. */
const inCheckout = /\btoprung\/(src\/[\w./-]+)/g;
const looksLikePath = /^[\w.@-]+(\/[\w.@-]+)*\/?$/;
const knownEnding = /[\w-]\.(ts|tsx|md|json|sql|css|html|yml|png)$/;
const generatedPaths = ['node_modules', 'dist', 'web/dist', 'data', '.tmp'];

export function findDeadPaths(files: readonly SourceText[], exists: Exists = onDisk): Finding[] {
  return files
    .filter((file) => file.path.endsWith('.md'))
    .flatMap((file) =>
      file.text.split('\n').flatMap((text, index) => {
        const paths = [
          ...linksOf(file.path, text, exists),
          ...(hasCheckedPaths(file)
            ? [...quotesOf(text, exists), ...commandsOf(text, exists)]
            : []),
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

/**
 * `domain/scheduling/runs/tick.ts` counts as `src/domain/scheduling/runs/tick.ts`. Words, addresses
 * and patterns are not paths.
 */
function quotesOf(text: string, exists: Exists): string[] {
  return [...text.matchAll(quoted)]
    .map((match) => match[1]!)
    .filter((word) => looksLikePath.test(word) && (knownEnding.test(word) || isFolder(word)))
    .filter(
      (word) => !generatedPaths.some((path) => word.startsWith(path)) && !word.startsWith('..'),
    )
    .filter((word) => !exists(word) && !exists(`src/${word}`));
}

const commandsOf = (text: string, exists: Exists): string[] =>
  [...text.matchAll(inCheckout)].map((match) => match[1]!).filter((path) => !exists(path));

const outside = [
  /(?<![\w./])\.\.\/[\w./-]*/g,
  /(?<![\w./])\/(?:home|root|tmp|work|Users)\/[\w./-]*/g,
  /\bissues? #?\d+/gi,
  /(?<![\w&])#\d+\b/g,
  /\bthe (?:issue|spec|specification|ticket)\b/gi,
];
const namedPage = /(?<![\w/.])[\w./-]*[\w-]\.md\b/g;

/** A decision record stands alone: it cites nothing that is not in the repository. */
export function findOutsideCitations(
  files: readonly SourceText[],
  exists: Exists = onDisk,
): Finding[] {
  return files
    .filter(({ path }) => path.startsWith('docs/decisions/'))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const prose = line.replace(linked, ']');
        const cited = [
          ...outside.flatMap((pattern) => prose.match(pattern) ?? []),
          ...(prose.match(namedPage) ?? []).filter((page) => !exists(page)),
        ];
        return cited.map((what) => ({
          path,
          line: index + 1,
          problem: `${what} is not in the repository: a decision record stands alone`,
        }));
      }),
    );
}

const folders = new Set(
  [...Object.keys(modules), 'src', 'tests', 'scripts', 'docs', 'bench', 'ops'].map(
    (path) => path.split('/')[0]!,
  ),
);

function isFolder(word: string): boolean {
  const first = word.split('/')[0]!;
  return word.includes('/') && folders.has(first);
}

/** Every `npm run …` that is written down is a script of package.json. */
export function findDeadScripts(files: readonly SourceText[]): Finding[] {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    scripts: Record<string, string>;
  };
  return files
    .filter((file) => file.path.endsWith('.md') || file.path === '.ci/run')
    .flatMap((file) =>
      file.text.split('\n').flatMap((text, index) =>
        [...text.matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)]
          .filter((match) => !(match[1]! in scripts))
          .map((match) => ({
            path: file.path,
            line: index + 1,
            problem: `npm run ${match[1]} is not in package.json`,
          })),
      ),
    );
}

/** The table of modules in ARCHITECTURE.md is the one of `module-boundaries.ts`. */
export function findStaleModules(files: readonly SourceText[]): Finding[] {
  const page = files.find((file) => file.path === 'ARCHITECTURE.md');
  if (!page) return [];
  const lines = page.text.split('\n');
  return Object.entries(modules).flatMap(([module, allowed]) => {
    const expected = allowed.join(', ') || 'nothing of ours';
    const index = lines.findIndex((text) => text.startsWith(`| \`${module}\` |`));
    if (index === -1)
      return [{ path: page.path, line: 1, problem: `the module ${module} is not in the table` }];
    const shown = lines[index]!.split('|').at(-2)!.replaceAll('`', '').trim();
    return shown === expected
      ? []
      : [{ path: page.path, line: index + 1, problem: `${module} may import: ${expected}` }];
  });
}
