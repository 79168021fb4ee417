import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listInitialNamespaces } from '#scripts/rules/page-texts.ts';
import { root } from '#scripts/rules/source-tree.ts';
import { textBundle as de } from '#web/text-bundles/de.ts';
import { textBundle as en } from '#web/text-bundles/en.ts';
import { textBundle as ja } from '#web/text-bundles/ja.ts';

test.each(Object.entries({ en, de, ja }))(
  'the bundle of %s contains exactly the texts that are loaded before any page',
  (language, bundle) => {
    const i18n = 'web/src/i18n.ts';
    const nouns = listInitialNamespaces({ path: i18n, text: readFileSync(root + i18n, 'utf8') });
    const texts = nouns.map((noun) =>
      readFileSync(`${root}web/src/locales/${language}/${noun}.json`, 'utf8'),
    );
    expect(nouns.length).toBeGreaterThan(0);
    expect(bundle).toEqual(Object.assign({}, ...texts.map((text) => JSON.parse(text) as object)));
  },
);
