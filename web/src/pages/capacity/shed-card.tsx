import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCount, formatDay, formatShare } from '#web/format.ts';
import { runsQuery } from '#web/queries/runs.ts';
import { shedKinds, sumShed } from '../runs/load-kinds.ts';

const days = 30;

/** Work that was skipped on days that were too short. Rank checks are never skipped. */
export function ShedCard() {
  const { t } = useTranslation();
  const query = useQuery(runsQuery(days));
  return (
    <Card title={t('shed.title')} lead={t('shed.lead')}>
      <Loaded query={query} height={21}>
        {({ items }) => {
          const short = items.filter((run) => sumShed(run) > 0);
          if (short.length === 0)
            return <p className="muted">{t('shed.none', { count: items.length })}</p>;
          return (
            <div
              className="table-scroll"
              role="region"
              aria-label={t('table.region', { label: t('shed.title') })}
              tabIndex={0}
            >
              <table className="plain-table">
                <thead>
                  <tr>
                    <th scope="col">{t('history.day')}</th>
                    {shedKinds.map((kind) => (
                      <th key={kind} scope="col" className="end">
                        {t(`fanOut.${kind}`)}
                      </th>
                    ))}
                    <th scope="col" className="end">
                      {t('shed.pressure')}
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {short.map((run) => (
                    <tr key={run.date}>
                      <td>
                        <Link to="/runs" search={{ day: run.date } as never}>
                          {formatDay(run.date)}
                        </Link>
                      </td>
                      {shedKinds.map((kind) => (
                        <td key={kind} className="end num">
                          {run.shed[kind] === 0 ? (
                            <span className="muted">0</span>
                          ) : (
                            formatCount(run.shed[kind])
                          )}
                        </td>
                      ))}
                      <td className="end num">
                        {formatShare(
                          Math.max(0, ...Object.values(run.pressure).map((share) => share ?? 0)),
                        )}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          );
        }}
      </Loaded>
    </Card>
  );
}
