import { Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Ago } from '#web/components/ago.tsx';
import type { Action } from '#web/queries/actions.ts';
import { severities } from '#contract/choices.ts';
import styles from './action-list.module.css';
import { formatActionTitle } from './format-action-title.ts';

interface ListProps {
  /** In display order. */
  actions: readonly Action[];
  chosenId: number | undefined;
  ticked: ReadonlySet<number>;
  appNames: ReadonlyMap<number, string>;
  /** Open actions by severity; closed ones in the order of the API. */
  isGrouped: boolean;
  onTick: (id: number) => void;
}

export function orderActions(actions: readonly Action[], isGrouped: boolean): Action[] {
  return isGrouped
    ? severities.flatMap((severity) => actions.filter((action) => action.severity === severity))
    : [...actions];
}

function Row({ action, ...rest }: Omit<ListProps, 'actions' | 'isGrouped'> & { action: Action }) {
  const { t } = useTranslation();
  const { chosenId, ticked, appNames, onTick } = rest;
  const title = formatActionTitle(action, t);
  const isChosen = action.id === chosenId;
  return (
    <li
      className={styles.row}
      data-chosen={isChosen || undefined}
      data-ticked={ticked.has(action.id) || undefined}
    >
      <span className={styles.tick}>
        <Checkbox
          size="xs"
          checked={ticked.has(action.id)}
          onChange={() => onTick(action.id)}
          aria-label={t('actions.tick', { title })}
        />
      </span>
      <Link
        to="."
        search={(before) => ({ ...before, action: action.id })}
        className={styles.link}
        aria-current={isChosen ? 'true' : undefined}
        data-action={action.id}
        data-severity={action.severity}
      >
        <bdi className={styles.title}>{title}</bdi>
        <span className={styles.about}>
          <span>{t(`actions.type.${action.type}`)}</span>
          <span className={styles.app}>{action.appId !== null && appNames.get(action.appId)}</span>
          <Ago instant={action.resolvedAt ?? action.openedAt} />
        </span>
      </Link>
    </li>
  );
}

export function ActionList({ actions, isGrouped, ...rest }: ListProps) {
  const { t } = useTranslation();
  if (!isGrouped) {
    return (
      <ul className={styles.rows} aria-label={t('actions.list')}>
        {actions.map((action) => (
          <Row key={action.id} action={action} {...rest} />
        ))}
      </ul>
    );
  }
  return severities.map((severity) => {
    const group = actions.filter((action) => action.severity === severity);
    if (group.length === 0) return null;
    return (
      <section key={severity} aria-label={t(`actions.group.${severity}`)}>
        <h2 className={styles.group} data-severity={severity}>
          <span className={styles.mark} aria-hidden />
          {t(`actions.group.${severity}`)}
          <span className="muted num">{group.length}</span>
        </h2>
        <ul className={styles.rows} aria-label={t(`actions.group.${severity}`)}>
          {group.map((action) => (
            <Row key={action.id} action={action} {...rest} />
          ))}
        </ul>
      </section>
    );
  });
}
