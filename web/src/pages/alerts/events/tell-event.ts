import type { LinkProps } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ActionType } from '../../../../../src/contract/actions.ts';
import type { EventData } from '../../../../../src/contract/event-data.ts';
import { formatPosition } from '../../../../../src/lib/format-position.ts';
import { formatCountry, formatDay } from '../../../format.ts';
import type { EventName } from '../../../queries/alerts.ts';
import { tellTitle } from '../../actions/tell-title.ts';

export interface ToldEvent {
  sentence: string;
  /** What else is worth knowing, in a line. */
  note: string | null;
  link: LinkProps | null;
}

type Told = { [T in EventName]: { type: T; data: EventData[T]; appId: number | null } }[EventName];

const keywordLink = (keywordId: number): LinkProps => ({
  to: '/keywords/$keywordId',
  params: { keywordId: String(keywordId) },
});
const textMost = 180;
const fieldNames = [
  'name',
  'subtitle',
  'summary',
  'description',
  'iconUrl',
  'screenshotUrls',
  'category',
  'price',
  'version',
  'releaseNotes',
] as const;

/** An event in a sentence, with the way to what it is about. */
export function useTellEvent(): (
  type: EventName,
  data: unknown,
  appId: number | null,
) => ToldEvent {
  const { t } = useTranslation();
  const nameField = (field: string) => {
    const known = fieldNames.find((name) => name === field);
    return known ? t(`alerts.field.${known}`) : field;
  };
  const tell = (event: Told): ToldEvent => {
    const { appId } = event;
    const ofApp = (to: '/apps/$appId/timeline' | '/apps/$appId/reviews'): LinkProps | null =>
      appId === null ? null : { to, params: { appId: String(appId) } };
    switch (event.type) {
      case 'rank.dropped':
      case 'rank.improved': {
        const { keywordId, phrase, country, from, to, crossed } = event.data;
        const values = {
          phrase,
          country: formatCountry(country),
          from: formatPosition(from),
          to: formatPosition(to),
        };
        const note =
          crossed.length > 0 ? t('alerts.told.crossed', { places: crossed.join(', ') }) : null;
        return {
          sentence: t(`alerts.told.${event.type}`, values),
          note,
          link: keywordLink(keywordId),
        };
      }
      case 'serp.entrant': {
        const { phrase, country, position, entrant, competitorId, daysWithout, keywordId } =
          event.data;
        const values = {
          name: entrant.name ?? entrant.storeAppId,
          phrase,
          country: formatCountry(country),
          position,
        };
        const note = t(
          competitorId === null ? 'alerts.told.entrantNote' : 'alerts.told.rivalNote',
          { count: daysWithout },
        );
        return {
          sentence: t('alerts.told.serp.entrant', values),
          note,
          link: { to: '/keywords/$keywordId/results', params: { keywordId: String(keywordId) } },
        };
      }
      case 'metadata.changed': {
        const { subject, listing, country, changes } = event.data;
        const fields = changes.map(({ field }) => nameField(field)).join(', ');
        const values = {
          name: listing.name ?? listing.storeAppId,
          country: formatCountry(country),
          fields,
        };
        return {
          sentence: t(`alerts.told.changed.${subject}`, values),
          note: writeChange(changes[0]),
          link: ofApp('/apps/$appId/timeline'),
        };
      }
      case 'review.negative': {
        const { rating, title, text, country, version } = event.data;
        const values = { count: rating, country: formatCountry(country) };
        const sentence = version
          ? t('alerts.told.reviewOf', { ...values, version })
          : t('alerts.told.review', values);
        return {
          sentence,
          note: shorten([title, text].filter(Boolean).join(' – ')),
          link: ofApp('/apps/$appId/reviews'),
        };
      }
      case 'action.opened': {
        const { actionId, actionType, ...told } = event.data;
        const title = tellTitle({ type: actionType as ActionType, ...told }, t);
        return {
          sentence: t('alerts.told.action', { title }),
          note: null,
          link: { to: '/actions', search: { action: actionId } as never },
        };
      }
      case 'digest.weekly': {
        const { week, from, to } = event.data;
        const values = { from: formatDay(from), to: formatDay(to) };
        return {
          sentence: t('alerts.told.digest', values),
          note: null,
          link: { to: '/digest', search: { week } as never },
        };
      }
    }
  };
  return (type, data, appId) => tell({ type, data, appId } as Told);
}

function shorten(text: string): string | null {
  const characters = [...text];
  if (characters.length === 0) return null;
  return characters.length <= textMost ? text : `${characters.slice(0, textMost - 1).join('')}…`;
}

/** The first change, where it is one of words. */
function writeChange(change: { before: unknown; after: unknown } | undefined): string | null {
  if (typeof change?.after !== 'string' || change.after.startsWith('http')) return null;
  const before = typeof change.before === 'string' ? change.before : '–';
  return shorten(`${before} → ${change.after}`);
}
