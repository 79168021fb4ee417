import i18next from 'i18next';
import { describe, expect, test, vi } from 'vitest';
import { languages } from '#contract/languages.ts';
import { storeProfiles } from '#stores/profiles.ts';
import { formatProvider } from '#web/components/format-provider.ts';
import { formatTimelineItem } from '#web/components/format-timeline-item.ts';
import type { TimelineItem } from '#web/queries/timeline.ts';

// The dashboard follows changes of its storage by other tabs.
vi.hoisted(() => vi.stubGlobal('addEventListener', () => {}));
vi.unstubAllGlobals();

const files = import.meta.glob<Record<string, string>>(
  '../../web/src/locales/*/{kit,events}.json',
  {
    import: 'default',
    eager: true,
  },
);

async function translate(language: string) {
  const own = i18next.createInstance();
  const texts = Object.entries(files).filter(([path]) => path.includes(`/${language}/`));
  await own.init({
    lng: language,
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    resources: {
      [language]: { translation: Object.assign({}, ...texts.map(([, file]) => file)) as object },
    },
  });
  return own.t;
}

const change: TimelineItem = {
  id: 'provider:2026-11-04',
  kind: 'provider',
  date: '2026-11-04',
  title: '',
  text: null,
  fact: { kind: 'provider', before: 'itunes', after: 'web' },
  countries: [],
  competitorId: null,
  keywordIds: [],
  links: {},
};

describe('search providers', () => {
  test.each(languages)('have a name in %s, each of their store another one', async (language) => {
    const t = await translate(language);
    for (const { id, search } of storeProfiles) {
      const names = search.providers.map(({ name }) => formatProvider(id, name, t));
      expect(new Set(names).size).toBe(names.length);
      for (const { name } of search.providers) expect(names).not.toContain(name);
    }
  });

  test('without a known name, and those of an unknown store, are shown as they are', async () => {
    const t = await translate('en');
    expect(formatProvider('ios', 'lens', t)).toBe('lens');
    expect(formatProvider(undefined, 'web', t)).toBe('web');
  });

  test('that replace one another are both named on the timeline', async () => {
    const t = await translate('en');
    expect(formatTimelineItem(change, 'ios', t)).toEqual({
      title: 'Positions are those of App Store search from here on',
      text: 'They are not compared with the earlier ones of iTunes API.',
    });
  });
});
