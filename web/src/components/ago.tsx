import { useTranslation } from 'react-i18next';
import { formatAgo, formatInstant } from '../format.ts';

/** A relative time with the UTC instant as its title. */
export function Ago({ instant }: { instant: string | null | undefined }) {
  const { t } = useTranslation();
  if (!instant) return <span className="muted">{t('time.never')}</span>;
  return (
    <time dateTime={instant} title={formatInstant(instant)} className="num">
      {formatAgo(instant)}
    </time>
  );
}
