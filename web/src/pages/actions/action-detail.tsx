import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { App } from '#web/api.ts';
import { Ago } from '#web/components/ago.tsx';
import { AppIcon } from '#web/components/app-icon.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { actionQuery, type ActionDetail as Detail } from '#web/queries/actions.ts';
import { ActionButtons } from './action-buttons.tsx';
import styles from './action-detail.module.css';
import { ActionHistory } from './action-history.tsx';
import { ActionKeywords } from './action-keywords.tsx';
import { Evidence } from './evidence/evidence.tsx';
import { OutcomeCard } from './outcome-card.tsx';
import { formatReason } from './reasons/format-reason.ts';
import { SeverityBadge } from './severity-badge.tsx';
import { formatActionTitle } from './format-action-title.ts';
import { isFocusLost } from './is-focus-lost.ts';
import type { ActionMove } from './use-action-moves.ts';

interface Props {
  id: number;
  /** Whether somebody chose it; on a phone it is hidden otherwise. */
  isOpen: boolean;
  apps: readonly App[];
  onMove: (move: ActionMove) => void;
  onBack: () => void;
}

function Sheet({
  action,
  app,
  onMove,
}: {
  action: Detail;
  app: App | undefined;
  onMove: Props['onMove'];
}) {
  const { t } = useTranslation();
  return (
    <>
      <div className={styles.meta}>
        <SeverityBadge severity={action.severity} />
        <span>{t(`actions.type.${action.type}`)}</span>
        {app && (
          <Link to="/apps/$appId" params={{ appId: String(app.id) }} className={styles.app}>
            <AppIcon
              name={app.displayName ?? app.name}
              store={app.store}
              iconUrl={app.iconUrl}
              size={20}
            />
            <bdi>{app.displayName ?? app.name}</bdi>
            <span className="muted">{profileOf(app.store).name}</span>
          </Link>
        )}
      </div>
      <h2 className={styles.title} id="action-title" tabIndex={-1}>
        {formatActionTitle(action, t)}
      </h2>
      <p className={styles.reason}>{formatReason(action, t)}</p>
      <ActionButtons action={action} store={app?.store} onMove={onMove} />
      <section className={styles.part} aria-label={t('actions.evidence')}>
        <h3>{t('actions.evidence')}</h3>
        <Evidence action={action} />
        <p className={styles.asOf}>
          {t('actions.asOf')} <Ago instant={action.seenAt} />
        </p>
      </section>
      <section className={styles.part} aria-label={t('actions.effect')}>
        <h3>{t('actions.effect')}</h3>
        <p>{t(`actions.effectOf.${action.type}`)}</p>
      </section>
      <ActionKeywords ids={action.keywordIds} store={app?.store} />
      <OutcomeCard action={action} />
      <ActionHistory action={action} />
    </>
  );
}

/** One action with its reason, evidence, next step and outcome. */
export function ActionDetail({ id, isOpen, apps, onMove, onBack }: Props) {
  const { t } = useTranslation();
  const query = useQuery(actionQuery(id));
  const isLoaded = query.data !== undefined;
  const shown = useRef({ id, isOpen });
  useEffect(() => {
    if (!isLoaded) return;
    const isNew = shown.current.id !== id || (isOpen && !shown.current.isOpen);
    // The focus was in the action before, which is gone, or in the list that a phone hides.
    if (isNew && isFocusLost())
      document.getElementById('action-title')?.focus({ preventScroll: true });
    shown.current = { id, isOpen };
  }, [id, isOpen, isLoaded]);
  return (
    <article className={styles.sheet} aria-label={t('actions.one')}>
      <Button
        variant="subtle"
        color="gray"
        className={`${styles.back} touch`}
        leftSection={<ArrowLeft size={16} aria-hidden />}
        onClick={onBack}
      >
        {t('actions.back')}
      </Button>
      <Loaded query={query} height={420}>
        {(action) => (
          <Sheet
            key={action.id}
            action={action}
            app={apps.find((app) => app.id === action.appId)}
            onMove={onMove}
          />
        )}
      </Loaded>
    </article>
  );
}
