import { Button, Modal, Radio } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { planNames } from '#contract/choices.ts';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import { useFocusReturn } from '#web/use-focus-return.ts';
import type { AdminWorkspace } from '#web/queries/admin.ts';
import styles from './admin-page.module.css';
import { useSetPlan } from './use-workspace-mutations.ts';

const none = 'none';

/** Sets, changes or removes a plan manually. A trial has no plan to remove. */
export function PlanDialog({
  workspace,
  onClose,
}: {
  workspace: AdminWorkspace;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  useFocusReturn();
  const isLive = workspace.planStatus === 'live';
  const now = isLive ? workspace.plan : null;
  const [chosen, setChosen] = useState<string | null>(now);
  const setPlan = useSetPlan(onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('admin.planOf', { name: workspace.name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          setPlan.mutate({ ...workspace, plan: planNames.find((name) => name === chosen) ?? null });
        }}
      >
        <p>{t('admin.planWhat')}</p>
        <Radio.Group label={t('admin.plan')} value={chosen} onChange={setChosen}>
          <div className={styles.choices}>
            {planNames.map((name) => (
              <Radio key={name} value={name} label={t(`planName.${name}`)} />
            ))}
            {isLive && (
              <Radio value={none} label={t('admin.noPlan')} description={t('admin.noPlanWhat')} />
            )}
          </div>
        </Radio.Group>
        {setPlan.error && <ErrorNotice error={setPlan.error} />}
        <div className={styles.dialogActions}>
          <Button variant="default" className="touch" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            type="submit"
            className="touch"
            disabled={chosen === null || chosen === now}
            loading={setPlan.isPending}
          >
            {t('admin.setPlan')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
