import { describe, expect, it } from 'vitest';
import { findDeadPaths, findDeadScripts, findStaleRooms } from '../../scripts/rules/links.ts';
import { readTree } from '../../scripts/rules/tree.ts';
import { judge, plant, print } from './plant.ts';

const tree = readTree();
const nothing = () => false;

describe('pages for people', () => {
  it('every link, path and script they name exists, and the rooms are those of the walls', () => {
    expect(
      print([...findDeadPaths(tree), ...findDeadScripts(tree), ...findStaleRooms(tree)]),
    ).toEqual([]);
  });

  it.each([
    ['docs/a.md', 'see [the page](b.md#part)'],
    ['README.md', '![a picture](docs/screens/none.png)'],
    ['README.md', 'it is in `src/domain/none.ts`'],
    ['ARCHITECTURE.md', '`domain/none.ts` does it'],
    ['ARCHITECTURE.md', 'look into `src/nowhere/`'],
  ])('a dead path in %s is caught: %s', (path, text) => {
    expect(findDeadPaths([plant(path, text)], nothing)).toHaveLength(1);
  });

  it.each([
    ['README.md', '[somewhere](https://example.org/a.md) and [here](#part)'],
    [
      'README.md',
      '`GET /apps/{id}`, `/api/backend`, `npm ci`, `db/queries/<noun>.ts`, `*.test.ts`, `.ts`, `postgres/redis`',
    ],
    ['docs/decisions/0001-a.md', 'words about `src/gone.ts` may stay in a decision'],
  ])('what is not a promise is let be in %s: %s', (path, text) => {
    expect(findDeadPaths([plant(path, text)], nothing)).toEqual([]);
  });

  it('a script that package.json lacks is caught', () => {
    expect(judge(findDeadScripts, 'README.md', 'run `npm run nonsense`')).toHaveLength(1);
    expect(judge(findDeadScripts, 'README.md', 'run `npm run check`')).toEqual([]);
  });

  it('a row of the rooms that says something else than the walls is caught', () => {
    const page = tree.find((file) => file.path === 'ARCHITECTURE.md')!;
    const changed = page.text.replace(/^(\| `gateway` \|.*\| )[^|]*\|$/m, '$1lib, db |');
    expect(changed).not.toBe(page.text);
    expect(judge(findStaleRooms, 'ARCHITECTURE.md', changed)).toHaveLength(1);
  });
});
