import { useTranslation } from 'react-i18next';
import type { Store } from '#web/api.ts';
import { AppIcon } from '#web/components/app-icon.tsx';
import { Screenshots } from '#web/components/screenshots.tsx';
import { formatInstant } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import styles from './change-diff.module.css';
import { compareScreenshots } from './compare-screenshots.ts';

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
  const store = useCurrentApp()?.store;
  if (value === null || value === undefined)
    return <p className="muted">{t('timeline.diff.unknown')}</p>;
  if (typeof value === 'boolean')
    return <p>{t(value ? 'timeline.diff.yes' : 'timeline.diff.no')}</p>;
  if (field === 'iconUrl' && typeof value === 'string')
    return <AppIcon name="" store={store} iconUrl={value} size={64} />;
  if (field === 'screenshotUrls' && Array.isArray(value) && store)
    return <Pictures store={store} items={value.map(String)} others={toTexts(other)} side={side} />;
  if (Array.isArray(value))
    return <List items={value.map(String)} others={toTexts(other)} side={side} />;
  const words = toWords(value);
  return <p className={styles.text}>{isInstant(words) ? formatInstant(words) : words}</p>;
}

const toTexts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

interface Items {
  items: string[];
  others: string[];
  side: 'before' | 'after';
}

/** The screenshots of one side; a word below says which were added, removed or moved. */
function Pictures({ store, items, others, side }: Items & { store: Store }) {
  const { t } = useTranslation();
  const compared =
    side === 'before'
      ? compareScreenshots(store, items, others).before
      : compareScreenshots(store, others, items).after;
  return (
    <>
      <p>{t('timeline.diff.pictures', { count: items.length })}</p>
      <Screenshots
        store={store}
        urls={items}
        label={t(side === 'before' ? 'timeline.diff.shotsBefore' : 'timeline.diff.shotsAfter')}
        states={compared.map((state) => state && t(`timeline.diff.shot.${state}`))}
      />
    </>
  );
}

function List({ items, others, side }: Items) {
  const { t } = useTranslation();
  const changed = items.filter((item) => !others.includes(item));
  const Mark = side === 'before' ? 'del' : 'ins';
  return (
    <>
      <p>
        {t('timeline.diff.entries', { count: items.length })}
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
      {changed.length > 0 && (
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
