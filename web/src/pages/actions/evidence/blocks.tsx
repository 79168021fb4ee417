import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Facts, type Fact } from '#web/components/facts.tsx';
import { Meter } from '#web/components/meter.tsx';
import { PositionText } from '#web/components/position-text.tsx';
import { formatDay } from '#web/format.ts';
import styles from './evidence.module.css';
import type { Pair } from './parse-facts.ts';

export function FactGrid({ facts }: { facts: readonly Fact[] }) {
  return <Facts facts={facts} className={styles.facts} />;
}

/** Unknown values are named, never drawn as zero. */
export function Known({ value, of }: { value: number | null; of?: number }) {
  const { t } = useTranslation();
  if (value === null) return <span className="muted">{t('actions.notKnown')}</span>;
  return (
    <span className="num">
      {value}
      {of !== undefined && <span className="muted"> / {of}</span>}
    </span>
  );
}

export function FactMeter({
  label,
  value,
  max,
  note,
}: {
  label: string;
  value: number;
  max: number;
  note: string;
}) {
  return (
    <div className={styles.meter}>
      <div className={styles.meterHead}>
        <span>{label}</span>
        <span className="num muted">{note}</span>
      </div>
      <Meter share={value / Math.max(1, max)} meter={{ label, value, max, text: note }} />
    </div>
  );
}

export function Chips({
  label,
  words,
  tone = 'plain',
}: {
  label: string;
  words: readonly string[];
  tone?: 'plain' | 'missing';
}) {
  if (words.length === 0) return null;
  return (
    <div className={styles.chipRow}>
      <span className="muted">{label}</span>
      <ul className={styles.chips} aria-label={label}>
        {words.map((word) => (
          <li key={word} data-tone={tone}>
            {word}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function FactTable({
  label,
  head,
  rows,
}: {
  label: string;
  head: string[];
  rows: { key: string; cells: ReactNode[] }[];
}) {
  if (rows.length === 0) return null;
  return (
    <div className="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) => (
                <td key={head[index]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Checks in a row, oldest first, with day and position. */
export function Checks({ pairs }: { pairs: readonly Pair[] }) {
  const { t } = useTranslation();
  if (pairs.length === 0) return null;
  return (
    <ol className={styles.checks} aria-label={t('actions.checks')}>
      {pairs.map((pair) => (
        <li key={pair.date}>
          <span className="muted num">{formatDay(pair.date)}</span>
          <PositionText cell={pair} size="sm" />
        </li>
      ))}
    </ol>
  );
}
