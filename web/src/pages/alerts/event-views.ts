import type { LinkProps } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import {
  Inbox,
  MessageSquareWarning,
  Newspaper,
  PencilLine,
  TrendingDown,
  TrendingUp,
  UserPlus,
  type LucideIcon,
} from 'lucide-react';
import type { ActionType } from '#contract/actions.ts';
import type { EventData } from '#contract/events.ts';
import type { PositionAtDepth } from '#lib/format-position.ts';
import { formatShortPosition } from '#web/components/format-position-text.ts';
import { formatCountry, formatDay, formatMarket } from '#web/format.ts';
import type { EventName } from '#web/queries/alerts.ts';
import { formatActionTitle } from '#web/pages/actions/format-action-title.ts';
import { formatFieldChange, formatFieldName, shortenText } from './events/event-texts.ts';

export interface FormattedEvent {
  sentence: string;
  /** An additional line, if there is more to say. */
  note: string | null;
  link: LinkProps | null;
}

interface EventView<Type extends EventName> {
  icon: LucideIcon;
  tone: 'gain' | 'loss' | 'warn' | 'accent';
  /** Colour of the bars in the preview; only alerts have one. */
  color: 'gain' | 'loss' | 3 | 5 | 7 | null;
  format: (data: EventData[Type], t: TFunction, appId: number | null) => FormattedEvent;
}

const keywordLink = (
  to: '/keywords/$keywordId' | '/keywords/$keywordId/serp',
  keywordId: number,
): LinkProps => ({ to, params: { keywordId: String(keywordId) } });

const appLink = (
  to: '/apps/$appId/timeline' | '/apps/$appId/reviews',
  appId: number | null,
): LinkProps | null => (appId === null ? null : { to, params: { appId: String(appId) } });

/** Some languages count positions with a word, which `>200` is without. */
const formatInSentence = (cell: PositionAtDepth, t: TFunction): string =>
  cell.position === null
    ? formatShortPosition(cell, t)
    : t('alerts.position', { position: cell.position });

const formatRankMove =
  (type: 'rank.dropped' | 'rank.improved'): EventView<'rank.dropped'>['format'] =>
  ({ keywordId, phrase, from, to, crossed, ...market }, t) => ({
    sentence: t(`event.${type}.sentence`, {
      phrase,
      country: formatMarket(market),
      from: formatInSentence(from, t),
      to: formatInSentence(to, t),
    }),
    note: crossed.length > 0 ? t('alerts.crossed', { positions: crossed.join(', ') }) : null,
    link: keywordLink('/keywords/$keywordId', keywordId),
  });

/** The appearance of each event type. The texts are in src/contract/events. */
export const eventViews: { [Type in EventName]: EventView<Type> } = {
  'rank.dropped': {
    icon: TrendingDown,
    tone: 'loss',
    color: 'loss',
    format: formatRankMove('rank.dropped'),
  },
  'rank.improved': {
    icon: TrendingUp,
    tone: 'gain',
    color: 'gain',
    format: formatRankMove('rank.improved'),
  },
  'serp.entrant': {
    icon: UserPlus,
    tone: 'warn',
    color: 5,
    format: ({ entrant, phrase, position, competitorId, daysAbsent, keywordId, ...market }, t) => {
      const name = entrant.name ?? entrant.storeAppId;
      const values = { name, phrase, country: formatMarket(market), position };
      const note = competitorId === null ? 'note' : 'competitorNote';
      return {
        sentence: t('event.serp.entrant.sentence', values),
        note: t(`event.serp.entrant.${note}`, { count: daysAbsent }),
        link: keywordLink('/keywords/$keywordId/serp', keywordId),
      };
    },
  },
  'metadata.changed': {
    icon: PencilLine,
    tone: 'warn',
    color: 3,
    format: ({ subject, listing, country, changes }, t, appId) => ({
      sentence: t(`event.metadata.changed.${subject}`, {
        name: listing.name ?? listing.storeAppId,
        country: formatCountry(country),
        fields: changes.map(({ field }) => formatFieldName(field, t)).join(', '),
      }),
      note: formatFieldChange(changes[0]),
      link: appLink('/apps/$appId/timeline', appId),
    }),
  },
  'review.negative': {
    icon: MessageSquareWarning,
    tone: 'loss',
    color: 7,
    format: ({ rating, title, text, country, version, ofDay }, t, appId) => {
      const values = { count: rating, country: formatCountry(country) };
      const sentence = version
        ? t('event.review.negative.sentenceWithVersion', { ...values, version })
        : t('event.review.negative.sentence', values);
      const many = ofDay && ofDay.number > 1 ? { day: formatDay(ofDay.date) } : null;
      return {
        sentence: many
          ? `${t('event.review.negative.many', { ...many, count: ofDay!.number })} ${sentence}`
          : sentence,
        note: shortenText([title, text].filter(Boolean).join(' – ')),
        link: appLink('/apps/$appId/reviews', appId),
      };
    },
  },
  'digest.weekly': {
    icon: Newspaper,
    tone: 'accent',
    color: null,
    format: ({ week, from, to }, t) => ({
      sentence: t('event.digest.weekly.sentence', { from: formatDay(from), to: formatDay(to) }),
      note: null,
      link: { to: '/digest', search: { week } as never },
    }),
  },
  'action.opened': {
    icon: Inbox,
    tone: 'accent',
    color: null,
    format: ({ actionId, actionType, ...action }, t) => ({
      sentence: t('event.action.opened.sentence', {
        title: formatActionTitle({ type: actionType as ActionType, ...action }, t),
      }),
      note: null,
      link: { to: '/actions', search: { action: actionId } as never },
    }),
  },
};

export function formatEvent(
  type: EventName,
  data: unknown,
  appId: number | null,
  t: TFunction,
): FormattedEvent {
  return eventViews[type].format(data as never, t, appId);
}
