import { useTranslation } from 'react-i18next';
import styles from './keyword-field-page.module.css';
import type { Normalised } from './normalise.ts';

/** How the store counts the text. */
export function FieldFacts({
  normalised: { text, doubles, needless, isLowered },
}: {
  normalised: Normalised;
}) {
  const { t } = useTranslation();
  const left = [
    doubles.length > 0 && t('keywordField.removed', { words: doubles.join(', ') }),
    needless > 0 && t('keywordField.needless', { count: needless }),
    isLowered && t('keywordField.lowered'),
  ].filter((sentence) => sentence !== false);
  return (
    <>
      <p className={styles.counted}>
        <span className="muted">{t('keywordField.counted')}</span> <code>{text || '–'}</code>
      </p>
      {left.length > 0 && (
        <ul className={styles.left}>
          {left.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
    </>
  );
}
