import { describe, expect, it } from 'vitest';
import { findFolderCycles } from '#scripts/rules/folder-cycles.ts';
import { inlineSource } from './inline-source.ts';

/** `a/b.ts > c/d.ts`: the first imports the second. */
function findIn(...imports: string[]) {
  const files = imports.map((text) => {
    const [from, to] = text.split(' > ') as [string, string];
    const target = to.replace(/^src\//, '').replace(/^web\/src\//, 'web/');
    return inlineSource(from, `import type { A } from '#${target}';`);
  });
  return findFolderCycles(files).map(({ path, problem }) => `${path}: ${problem}`);
}

describe('cycles between folders', () => {
  it.each([
    [
      'two nouns of a module of the domain',
      'src/domain/alerting/webhooks/a.ts > src/domain/alerting/events/b.ts',
      'src/domain/alerting/events/b.ts > src/domain/alerting/webhooks/formats/c.ts',
    ],
    [
      'two modules of the domain, by way of different nouns',
      'src/domain/tracking/apps/a.ts > src/domain/insights/overview/b.ts',
      'src/domain/insights/scores/c.ts > src/domain/tracking/keywords/d.ts',
    ],
    [
      'the files of base and one of its folders',
      'src/domain/base/context.ts > src/domain/base/mail/a.ts',
      'src/domain/base/mail/b.ts > src/domain/base/errors.ts',
    ],
    ['two modules of src', 'src/db/a.ts > src/lib/b.ts', 'src/lib/c.ts > src/db/d/e.ts'],
    [
      'a module and the simulator',
      'src/cli/a.ts > simulator/b.ts',
      'simulator/c.ts > src/cli/d.ts',
    ],
    [
      'a module and the dashboard',
      'src/client/a.ts > web/src/b.ts',
      'web/src/c.ts > src/client/d.ts',
    ],
    [
      'two folders of queries',
      'src/db/queries/apps/a.ts > src/db/queries/tags/b.ts',
      'src/db/queries/tags/c.ts > src/db/queries/apps/d.ts',
    ],
    [
      'two folders of the simulator',
      'simulator/ios/a.ts > simulator/http/b.ts',
      'simulator/http/c.ts > simulator/ios/d.ts',
    ],
    [
      'two pages of the dashboard',
      'web/src/pages/runs/a.ts > web/src/pages/capacity/b.ts',
      'web/src/pages/capacity/c.ts > web/src/pages/runs/d.ts',
    ],
  ])('%s are found', (_name, ...imports) => {
    expect(findIn(...imports)).toHaveLength(1);
    expect(findIn(imports[0])).toEqual([]);
    expect(findIn(imports[1])).toEqual([]);
  });

  it('of three folders are reported once, with their path', () => {
    expect(
      findIn(
        'src/domain/tracking/a/a.ts > src/domain/tracking/b/b.ts',
        'src/domain/tracking/b/b.ts > src/domain/tracking/c/c.ts',
        'src/domain/tracking/c/c.ts > src/domain/tracking/a/d.ts',
        'src/domain/tracking/c/e.ts > src/domain/tracking/d/f.ts',
      ),
    ).toEqual([
      'src/domain/tracking/a/a.ts: these folders import one another in a cycle: ' +
        ['a', 'b', 'c', 'a'].map((name) => `src/domain/tracking/${name}`).join(' → '),
    ]);
  });

  it('may exist within a folder, and between a folder and its own parts', () => {
    expect(
      findIn(
        'src/domain/insights/actions/a.ts > src/domain/insights/actions/b.ts',
        'src/domain/insights/actions/b.ts > src/domain/insights/actions/a.ts',
        'src/domain/insights/actions/a.ts > src/domain/insights/actions/rules/c.ts',
        'src/domain/insights/actions/rules/c.ts > src/domain/insights/actions/a.ts',
      ),
    ).toEqual([]);
  });
});
