import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changedFields } from '#contract/choices.ts';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCountry, formatDay, formatInstant, zonedDayOf } from '#web/format.ts';
import { diffQuery, type FieldDiff } from '#web/queries/timeline.ts';
import styles from './change-diff.module.css';
import { ValueText } from './value-text.tsx';

/** Fields of a change. Some change on their own and are shown separately. */
const fields = [...changedFields, 'sizeBytes', 'updatedAt', 'releasedAt'] as const;

/**
 * The listing before and after, with removed words struck out on the left and added ones underlined
 * on the right.
 */
export function ChangeDiff({ appId, a, b }: { appId: number; a: number; b: number }) {
  const { t } = useTranslation();
  const query = useQuery(diffQuery(appId, a, b));
  return (
    <Loaded query={query} height={140}>
      {(diff) => (
        <div className={styles.diff}>
          <p className={styles.about}>
            {t('timeline.diff.read', {
              country: formatCountry(diff.b.country),
              before: formatInstant(diff.a.takenAt),
              after: formatInstant(diff.b.takenAt),
            })}
          </p>
          {diff.fields.length === 0 && <p className="muted">{t('timeline.diff.same')}</p>}
          {diff.fields.map((field) => (
            <Field
              key={field.field}
              diff={field}
              before={formatDay(zonedDayOf(diff.a.takenAt))}
              after={formatDay(zonedDayOf(diff.b.takenAt))}
            />
          ))}
        </div>
      )}
    </Loaded>
  );
}

function Field({ diff, before, after }: { diff: FieldDiff; before: string; after: string }) {
  const { t } = useTranslation();
  const known = fields.find((name) => name === diff.field);
  const name = known ? t(`timeline.field.${known}`) : diff.field;
  return (
    <section className={styles.field} aria-label={name}>
      <h3>{name}</h3>
      <div
        className={styles.sides}
        role="group"
        aria-label={t('timeline.diff.sides', { field: name })}
        tabIndex={0}
      >
        <div className={styles.side}>
          <span className={styles.when}>{t('timeline.diff.before', { day: before })}</span>
          <Side diff={diff} side="before" />
        </div>
        <div className={styles.side}>
          <span className={styles.when}>{t('timeline.diff.after', { day: after })}</span>
          <Side diff={diff} side="after" />
        </div>
      </div>
    </section>
  );
}

function Side({ diff, side }: { diff: FieldDiff; side: 'before' | 'after' }) {
  const { t } = useTranslation();
  if (!diff.ops)
    return (
      <ValueText
        field={diff.field}
        value={diff[side]}
        other={diff[side === 'before' ? 'after' : 'before']}
        side={side}
      />
    );
  const left = side === 'before' ? 'removed' : 'added';
  const parts = diff.ops.filter(({ op }) => op === 'same' || op === left);
  if (parts.length === 0) return <p className="muted">{t('timeline.diff.empty')}</p>;
  return (
    <p className={styles.text}>
      {parts.map(({ op, text }, index) =>
        op === 'same' ? (
          <span key={index}>{text}</span>
        ) : op === 'removed' ? (
          <del key={index}>{text}</del>
        ) : (
          <ins key={index}>{text}</ins>
        ),
      )}
    </p>
  );
}
