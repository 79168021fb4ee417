import { Info } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './card.module.css';

interface Props {
  title: string;
  lead?: ReactNode;
  /** On a phone the lead is behind a button, so that a list begins higher up. */
  foldsLead?: boolean;
  action?: ReactNode;
  children: ReactNode;
}

export function Card({ title, lead, foldsLead = false, action, children }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const leadId = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h2 id={id}>{title}</h2>
          {lead && foldsLead && (
            <button
              type="button"
              className={styles.about}
              aria-label={t('common.about', { name: title })}
              aria-expanded={isOpen}
              aria-controls={leadId}
              onClick={() => setOpen(!isOpen)}
            >
              <Info size={16} aria-hidden />
            </button>
          )}
          {lead && (
            <p
              id={leadId}
              className={styles.lead}
              data-folded={(foldsLead && !isOpen) || undefined}
            >
              {lead}
            </p>
          )}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
