import { Button, Modal, Radio } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { planNames } from '../../../../src/contract/choices.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import type { OperatedWorkspace } from '../../queries/operator.ts';
import styles from './operator-page.module.css';
import { useSetPlan } from './use-operate.ts';

const none = 'none';

/** Starts, changes or ends a plan by hand; a trial has none to end. */
export function PlanDialog({
  workspace,
  onClose,
}: {
  workspace: OperatedWorkspace;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const isLive = workspace.standing === 'live';
  const now = isLive ? workspace.plan : null;
  const [chosen, setChosen] = useState<string | null>(now);
  const setPlan = useSetPlan(onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('operator.planOf', { name: workspace.name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          setPlan.mutate({ ...workspace, plan: planNames.find((name) => name === chosen) ?? null });
        }}
      >
        <p>{t('operator.planWhat')}</p>
        <Radio.Group label={t('operator.plan')} value={chosen} onChange={setChosen}>
          <div className={styles.choices}>
            {planNames.map((name) => (
              <Radio key={name} value={name} label={t(`planName.${name}`)} />
            ))}
            {isLive && (
              <Radio
                value={none}
                label={t('operator.noPlan')}
                description={t('operator.noPlanWhat')}
              />
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
            {t('operator.setPlan')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
