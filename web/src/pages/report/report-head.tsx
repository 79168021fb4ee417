import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import { AppIcon } from '#web/components/app-icon.tsx';
import { formatCountry, formatDevice, formatSpan } from '#web/format.ts';
import type { ReportContent } from '#web/queries/reports.ts';
import styles from './report-page.module.css';

/** The subject of the report. */
export function ReportHead({ report }: { report: ReportContent }) {
  const { t } = useTranslation();
  const { app, comparison, country, device } = report;
  const facts = [
    [app.name, app.developer, profileOf(app.store).name],
    [
      country === null ? t('report.allCountries') : formatCountry(country),
      device !== null && formatDevice(device),
      comparison && formatSpan(comparison),
    ],
  ].map((parts) => parts.filter(Boolean).join(' · '));
  return (
    <header className={styles.head}>
      {app.icon === null ? (
        <AppIcon name={app.name} store={app.store} iconUrl={null} size={64} />
      ) : (
        <img
          className={styles.icon}
          src={app.icon}
          alt=""
          style={{ borderRadius: `${profileOf(app.store).iconRadiusPercent}%` }}
        />
      )}
      <div>
        <h1>
          <bdi>{report.name}</bdi>
        </h1>
        {facts.map((line) => (
          <p key={line} className="muted">
            <bdi>{line}</bdi>
          </p>
        ))}
      </div>
    </header>
  );
}
