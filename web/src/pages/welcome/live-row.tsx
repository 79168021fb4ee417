import { UnstyledButton } from '@mantine/core';
import { CloudAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '#web/api.ts';
import { MarketChip } from '#web/components/market-chip.tsx';
import { PositionText } from '#web/components/position-text.tsx';
import { isWaiting } from '#web/queries/keywords.ts';
import styles from './steps.module.css';

interface Props {
  keyword: Keyword;
  isShown: boolean;
  onShow: () => void;
}

/** A phrase in a country: pending, failed or with its position and a button for the results. */
export function LiveRow({ keyword, isShown, onShow }: Props) {
  const phrase = <bdi className={styles.phraseText}>{keyword.phrase}</bdi>;
  return (
    <li data-done={!isWaiting(keyword) || undefined} data-shown={isShown || undefined}>
      {keyword.latest ? (
        <UnstyledButton className={styles.showResults} aria-pressed={isShown} onClick={onShow}>
          {phrase}
        </UnstyledButton>
      ) : (
        phrase
      )}
      <MarketChip of={keyword} />
      <span className={styles.livePosition}>
        {keyword.latest ? <PositionText cell={keyword.latest} /> : <Pending keyword={keyword} />}
      </span>
    </li>
  );
}

function Pending({ keyword }: { keyword: Keyword }) {
  const { t } = useTranslation();
  if (isWaiting(keyword))
    return (
      <span className={styles.checking}>
        <span className={styles.pulse} aria-hidden />
        {t(keyword.pending === 'running' ? 'pending.running' : 'pending.queued')}
      </span>
    );
  if (keyword.pending === 'store_error' || keyword.pending === 'not_served')
    return (
      <span className={styles.checking}>
        <CloudAlert size={14} aria-hidden />
        {t(`pending.${keyword.pending}`)}
      </span>
    );
  return <PositionText cell={null} />;
}
