import { useTranslation } from 'react-i18next';
import { formatInstant } from '#web/format.ts';
import styles from './change-diff.module.css';

interface Props {
  field: string;
  value: unknown;
  other: unknown;
  side: 'before' | 'after';
}

const isInstant = (value: string): boolean => /^\d{4}-\d{2}-\d{2}T/.test(value);
const toWords = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/**
 * A value that is not text: lists as added and removed items, instants formatted, empty values as a
 * dash.
 */
export function ValueText({ field, value, other, side }: Props) {
  const { t } = useTranslation();
  if (value === null || value === undefined)
    return <p className="muted">{t('timeline.diff.unknown')}</p>;
  if (typeof value === 'boolean')
    return <p>{t(value ? 'timeline.diff.yes' : 'timeline.diff.no')}</p>;
  if (Array.isArray(value))
    return (
      <List
        items={value.map(String)}
        others={Array.isArray(other) ? other.map(String) : []}
        side={side}
        isPictures={field === 'screenshotUrls'}
      />
    );
  const words = toWords(value);
  return <p className={styles.text}>{isInstant(words) ? formatInstant(words) : words}</p>;
}

function List({
  items,
  others,
  side,
  isPictures,
}: {
  items: string[];
  others: string[];
  side: 'before' | 'after';
  isPictures: boolean;
}) {
  const { t } = useTranslation();
  const changed = items.filter((item) => !others.includes(item));
  const count = isPictures
    ? t('timeline.diff.pictures', { count: items.length })
    : t('timeline.diff.entries', { count: items.length });
  const Mark = side === 'before' ? 'del' : 'ins';
  return (
    <>
      <p>
        {count}
        {changed.length > 0 && (
          <span className="muted">
            {' '}
            · {t(`timeline.diff.${side === 'before' ? 'gone' : 'new'}`, { count: changed.length })}
          </span>
        )}
        {changed.length === 0 && items.length === others.length && (
          <span className="muted"> · {t('timeline.diff.order')}</span>
        )}
      </p>
      {!isPictures && changed.length > 0 && (
        <p className={styles.text}>
          {changed.map((item, index) => (
            <span key={item}>
              {index > 0 && ', '}
              <Mark>{item}</Mark>
            </span>
          ))}
        </p>
      )}
    </>
  );
}
