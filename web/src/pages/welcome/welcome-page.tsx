import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Brand } from '#web/components/brand.tsx';
import { useTitle } from '#web/components/use-title.ts';
import { ThemeToggle } from '#web/frame/theme-toggle.tsx';
import { WorkspaceMenu } from '#web/frame/workspace-menu.tsx';
import { appsQuery } from '#web/queries/apps.ts';
import { AppStep } from './app-step.tsx';
import { CountriesStep } from './countries-step.tsx';
import { KeywordsStep } from './keywords-step.tsx';
import { PositionsStep } from './positions-step.tsx';
import styles from './welcome-page.module.css';
import { steps, useWizardState } from './wizard-state.ts';

/** The setup wizard, from a store URL to the first positions. */
export function WelcomePage() {
  const { t } = useTranslation();
  const wizard = useWizardState();
  const { step } = wizard.state;
  const { data: apps } = useQuery(appsQuery);
  const at = steps.indexOf(step);
  useTitle(t(`welcome.${step}.title`));
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) heading.current?.focus();
    isFirst.current = false;
    window.scrollTo(0, 0);
  }, [step]);
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Brand />
        <div className={styles.end}>
          <WorkspaceMenu />
          <ThemeToggle />
          {apps && apps.items.length > 0 && step !== 'positions' && (
            <Button
              variant="subtle"
              color="gray"
              className="touch"
              leftSection={<X size={15} aria-hidden />}
              onClick={wizard.clear}
              renderRoot={(props) => <Link to="/" {...props} />}
            >
              {t('welcome.leave')}
            </Button>
          )}
        </div>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className={styles.main}
        data-wide={step === 'positions' || undefined}
      >
        <ol className={styles.steps} aria-label={t('welcome.steps')}>
          {steps.map((name, index) => (
            <li
              key={name}
              data-state={index < at ? 'done' : index === at ? 'now' : 'next'}
              aria-current={index === at ? 'step' : undefined}
            >
              <span className={styles.number} aria-hidden>
                {index < at ? <Check size={13} strokeWidth={3} /> : index + 1}
              </span>
              <span className={styles.stepName}>{t(`welcome.${name}.step`)}</span>
              {index < at && <span className="sr-only">{t('welcome.done')}</span>}
            </li>
          ))}
        </ol>
        <h1 ref={heading} tabIndex={-1}>
          {t(`welcome.${step}.title`)}
        </h1>
        <p className={styles.lead}>{t(`welcome.${step}.lead`)}</p>
        {step === 'app' && <AppStep {...wizard} />}
        {step === 'countries' && <CountriesStep {...wizard} />}
        {step === 'keywords' && <KeywordsStep {...wizard} />}
        {step === 'positions' && <PositionsStep {...wizard} />}
      </main>
    </div>
  );
}
