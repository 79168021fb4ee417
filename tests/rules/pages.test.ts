import { describe, expect, it } from 'vitest';
import {
  findDeadPaths,
  findDeadScripts,
  findOutsideCitations,
  findStaleModules,
} from '#scripts/rules/links.ts';
import { evaluate, inlineSource } from './inline-source.ts';
import { tree } from './tree.ts';

const nothing = () => false;

describe('documents for people', () => {
  it.each([
    ['docs/a.md', 'see [the page](b.md#part)'],
    ['README.md', '![a picture](docs/screens/none.png)'],
    ['README.md', 'it is in `src/domain/none.ts`'],
    ['ARCHITECTURE.md', '`domain/none.ts` does it'],
    ['ARCHITECTURE.md', 'look into `src/nowhere/`'],
    ['docs/decisions/0001-a.md', 'measured in `src/gone.ts`'],
    ['README.md', 'node /path/to/toprung/src/cli/none.ts mcp'],
  ])('a dead path in %s is reported: %s', (path, text) => {
    expect(findDeadPaths([inlineSource(path, text)], nothing)).toHaveLength(1);
  });

  it.each([
    ['README.md', '[somewhere](https://example.org/a.md) and [here](#part)'],
    [
      'README.md',
      '`GET /apps/{id}`, `/api/backend`, `npm ci`, `db/queries/<noun>.ts`, `*.test.ts`, ' +
        '`.ts`, `postgres/redis`',
    ],
    ['CHANGELOG.md', 'words about `src/gone.ts` may stay in the changelog'],
  ])('a word that is not a path is ignored in %s: %s', (path, text) => {
    expect(findDeadPaths([inlineSource(path, text)], nothing)).toEqual([]);
  });

  it.each([
    'as `../shared/api.md` says',
    'as ../shared/api.md says',
    'see /work/notes for why',
    'asked for in issue 14',
    'fixes #14',
    'dashboard.md §4 names two packages',
    'the spec says that data stays',
  ])('a citation of something else is reported in a decision record: %s', (text) => {
    expect(
      findOutsideCitations([inlineSource('docs/decisions/0001-a.md', text)], nothing),
    ).not.toEqual([]);
    expect(findOutsideCitations([inlineSource('docs/a.md', text)], nothing)).toEqual([]);
  });

  it('links within the repository and the web are allowed in a decision record', () => {
    const text =
      '[decision 5](0005-b.md), [code](../../src/a.ts), [a page](https://example.org/#1)';
    expect(findOutsideCitations([inlineSource('docs/decisions/0001-a.md', text)], nothing)).toEqual(
      [],
    );
  });

  it('a script that package.json lacks is reported', () => {
    expect(evaluate(findDeadScripts, 'README.md', 'run `npm run nonsense`')).toHaveLength(1);
    expect(evaluate(findDeadScripts, 'README.md', 'run `npm run check`')).toEqual([]);
  });

  it('a row of modules that contradicts the rule is reported', () => {
    const page = tree.find((file) => file.path === 'ARCHITECTURE.md')!;
    const changed = page.text.replace(/^(\| `gateway` \|.*\| )[^|]*\|$/m, '$1lib, db |');
    expect(changed).not.toBe(page.text);
    expect(evaluate(findStaleModules, 'ARCHITECTURE.md', changed)).toHaveLength(1);
  });
});
