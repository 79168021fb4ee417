import { useTranslation } from 'react-i18next';
import { formatDay, formatDecimal, formatShare, formatSigned } from '#web/format.ts';
import type { ActionDetail } from '#web/queries/actions.ts';
import styles from './action-detail.module.css';
import { FactTable } from './evidence/blocks.tsx';

type Outcome = NonNullable<ActionDetail['outcome']>;

function Gained({ positions }: { positions: number | null }) {
  const { t } = useTranslation();
  if (positions === null) return <span className="muted">{t('actions.outcome.none')}</span>;
  const kind = positions > 0 ? 'up' : positions < 0 ? 'down' : 'same';
  return (
    <strong className={styles.gained} data-kind={kind}>
      <span aria-hidden>
        {kind === 'same'
          ? '='
          : `${kind === 'up' ? '▲' : '▼'} ${formatDecimal(Math.abs(positions))}`}
      </span>
      <span className="sr-only">{formatSigned(positions)}</span>
    </strong>
  );
}

function Measured({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation();
  const { before, after } = outcome.keywords;
  const mean = (position: number | null) => (position === null ? '–' : formatDecimal(position));
  const share = (coverage: number | null) => (coverage === null ? '–' : formatShare(coverage));
  const rows = (['keywords', 'untouched'] as const).map((name) => {
    const group = outcome[name];
    return {
      key: name,
      cells: [
        t(`actions.outcome.${name}`),
        mean(group.before.averagePosition),
        mean(group.after.averagePosition),
        <Gained key="gained" positions={group.positionsGained} />,
        t('actions.outcome.compared', { n: group.n, count: group.keywords }),
        t('actions.outcome.checked', {
          before: share(group.before.coverage),
          after: share(group.after.coverage),
        }),
      ],
    };
  });
  const beyond = outcome.positionsGainedBeyond;
  return (
    <>
      <p>
        {beyond === null
          ? t('actions.outcome.unknown')
          : t(
              beyond > 0
                ? 'actions.outcome.better'
                : beyond < 0
                  ? 'actions.outcome.worse'
                  : 'actions.outcome.same',
              {
                positions: formatDecimal(Math.abs(beyond)),
              },
            )}
      </p>
      <FactTable
        label={t('actions.outcome.title')}
        head={[
          t('actions.outcome.group'),
          `${formatDay(before.from)} – ${formatDay(before.to)}`,
          `${formatDay(after.from)} – ${formatDay(after.to)}`,
          t('actions.outcome.gained'),
          t('actions.outcome.n'),
          t('actions.outcome.coverage'),
        ]}
        rows={rows}
      />
      <p className="muted">{t('actions.outcome.proof')}</p>
    </>
  );
}

/** The positions of the affected keywords before and after, compared with the unaffected ones. */
export function OutcomeCard({ action }: { action: ActionDetail }) {
  const { t } = useTranslation();
  const { outcome, outcomeReason, measurableFrom } = action;
  if (outcomeReason === 'not_resolved') return null;
  return (
    <section className={styles.part} aria-label={t('actions.outcome.title')}>
      <h3>{t('actions.outcome.title')}</h3>
      {outcome && <Measured outcome={outcome} />}
      {outcomeReason === 'too_early' && (
        <p className="muted">
          {t('actions.outcome.tooEarly', {
            day: measurableFrom ? formatDay(measurableFrom, true) : '',
          })}
        </p>
      )}
      {outcomeReason === 'no_keywords' && (
        <p className="muted">{t('actions.outcome.noKeywords')}</p>
      )}
    </section>
  );
}
