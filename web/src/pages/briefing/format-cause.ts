import type { TFunction } from 'i18next';
import { formatCountry, formatDay, formatList } from '#web/format.ts';
import { isolateText } from '#web/isolate-text.ts';
import type { BriefingMover, Cause } from '#web/queries/briefing.ts';
import { formatFieldName } from '../alerts/events/event-texts.ts';

/** The likely cause as a sentence. */
export function formatCause({ cause, from, to, country }: BriefingMover, t: TFunction): string {
  if (!cause) return t('briefing.cause.none');
  const isRise = (to.position ?? Infinity) < (from.position ?? Infinity);
  const named = cause.apps.slice(0, 3);
  const names = formatList(named.map(nameOf));
  switch (cause.kind) {
    case 'own_change':
      return t(`briefing.cause.own.${isRise ? 'gained' : 'lost'}`, {
        texts: formatTexts(cause, t),
        ...wordsOf(cause),
      });
    case 'reranking':
      return t('briefing.cause.reranking', { country: formatCountry(country) });
    case 'competitor_change':
      return t(`briefing.cause.competitor.${isRise ? 'lost' : 'gained'}`, {
        count: named.length,
        names,
        texts: formatTexts(cause, t),
        ...wordsOf(cause),
      });
    default:
      return t(`briefing.cause.${cause.kind}`, { count: cause.explained, names });
  }
}

const nameOf = ({ name, storeAppId }: Cause['apps'][number]): string =>
  isolateText(name ?? storeAppId);

function formatTexts({ changes, fieldSavedOn }: Cause, t: TFunction): string {
  const fields = new Set(changes.map(({ field }) => formatFieldName(field, t)));
  return formatList([...fields, ...(fieldSavedOn === null ? [] : [t('nav.keywordField')])]);
}

function wordsOf({ words, changes, fieldSavedOn }: Cause): { words: string; day: string } {
  const day = changes[0]?.detectedOn ?? fieldSavedOn;
  return {
    words: formatList(words.map((word) => `“${isolateText(word)}”`)),
    day: day === null || day === undefined ? '' : formatDay(day),
  };
}
