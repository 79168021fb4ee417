import type { TFunction } from 'i18next';
import type { Store } from '../api.ts';
import { formatCount, formatDecimal, formatList } from '../format.ts';
import type { TimelineFact, TimelineItem } from '../queries/timeline.ts';
import { formatProvider } from './format-provider.ts';

type Change = Extract<TimelineFact, { kind: 'change' }>['changes'][number];

export type FormattableItem = Pick<TimelineItem, 'fact' | 'title' | 'text' | 'competitorId'>;

interface FormattedItem {
  title: string;
  /** An additional line. */
  text: string | null;
}

/**
 * Describes an event in the language of the page. Texts of annotations are shown as they were
 * written.
 */
export function formatTimelineItem(
  { fact, title, text, competitorId }: FormattableItem,
  store: Store | undefined,
  t: TFunction,
): FormattedItem {
  if (fact === null) return { title, text };
  const formatted = formatTimelineFact(fact, store, t);
  if (competitorId === null) return formatted;
  const name = ('competitorName' in fact ? fact.competitorName : null) ?? t('happened.competitor');
  return { ...formatted, title: t('happened.ofCompetitor', { name, what: formatted.title }) };
}

function formatTimelineFact(
  fact: TimelineFact,
  store: Store | undefined,
  t: TFunction,
): FormattedItem {
  switch (fact.kind) {
    case 'change': {
      const changes = formatList(fact.changes.map((change) => formatFieldChange(change, t)));
      return { title: t('happened.changed', { changes }), text: null };
    }
    case 'version':
      return { title: t('happened.version', { version: fact.version ?? '' }).trim(), text: null };
    case 'rank': {
      const moves = (['rose', 'fell'] as const).filter((way) => fact[way] > 0);
      return {
        title: formatList(
          moves.map((way) =>
            t(`happened.${way}`, { count: fact[way], shown: formatCount(fact[way]) }),
          ),
        ),
        text: t('happened.byRules'),
      };
    }
    case 'reviews':
      return {
        title: t('happened.reviews', { count: fact.count, shown: formatCount(fact.count) }),
        text: t('happened.usual', { usual: formatDecimal(fact.usual), count: fact.days }),
      };
    case 'run':
      return { title: t(`happened.run.${fact.fault}`), text: null };
    case 'provider':
      return {
        title: t('happened.provider', { after: formatProvider(store, fact.after, t) }),
        text: t('happened.notCompared', { before: formatProvider(store, fact.before, t) }),
      };
  }
}

function formatFieldChange({ field, value }: Change, t: TFunction): string {
  const name = t(`alerts.field.${field}`);
  return value === null ? name : t('happened.to', { field: name, value });
}
