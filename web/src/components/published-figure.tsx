import { useTranslation } from 'react-i18next';
import { formatDay } from '#web/format.ts';
import { formatPeriod } from './format-period.ts';
import type { Published } from './published-facts.tsx';

/** The number, or the bound of a phrase that is not listed, with its period, source and genre. */
export function PublishedFigure({ published }: { published: Published | null }) {
  const { t } = useTranslation();
  if (!published) return <span className="muted">–</span>;
  const { popularity, atMost, genre, granularity, period, source } = published;
  const when =
    granularity === 'week'
      ? t('published.week', { day: formatDay(period, true) })
      : formatPeriod(published);
  const from = [t(`published.source.${source}`), when, genre && t(`popularity.genre.${genre}`)]
    .filter(Boolean)
    .join(', ');
  const words = t('published.atMostWords', { value: atMost });
  return popularity === null ? (
    <span className="num muted" title={`${words} (${from})`}>
      <span aria-hidden>{t('published.atMost', { value: atMost })}</span>
      <span className="sr-only">{words}</span>
    </span>
  ) : (
    <span className="num" title={from}>
      {popularity}
    </span>
  );
}
