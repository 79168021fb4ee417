import { useTranslation } from 'react-i18next';
import styles from './keyword-field-page.module.css';

const nearly = 0.9;

/** `73/100`, with text and colour if it is nearly full or too long. */
export function Counter({ used, limit }: { used: number; limit: number }) {
  const { t } = useTranslation();
  const state = used > limit ? 'over' : used >= limit * nearly ? 'nearly' : 'free';
  return (
    <p className={styles.counter} data-state={state} aria-live="polite">
      <span className="num">
        {used}/{limit}
      </span>
      <span>{t(`keywordField.state.${state}`, { count: Math.abs(limit - used) })}</span>
    </p>
  );
}
