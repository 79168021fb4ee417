import { apiPath, publicUrl } from '#web/base-path.ts';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { createMcpSnippets } from './mcp-snippets.ts';
import { useHasDocs } from '#web/queries/session.ts';
import styles from './settings-page.module.css';
import { Snippet } from './snippet.tsx';

const origin = `${location.origin}${apiPath}`;
const credential = `-H "Authorization: Bearer $TOPRUNG_TOKEN"`;
/** Quotes a string for a shell with single quotes. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Example requests for this address and an app of this workspace. */
export function SnippetsCard() {
  const { t } = useTranslation();
  const app = useCurrentApp();
  const hasDocs = useHasDocs();
  const appId = app?.id ?? 1;
  const body = JSON.stringify({
    phrases: ['habit tracker'],
    countries: [app?.primaryCountry ?? 'us'],
  });
  const snippets = [
    ['apps', `curl ${credential} \\\n  ${quote(`${origin}/apps`)}`],
    [
      'add',
      `curl -X POST ${credential} \\\n  -H 'Content-Type: application/json' \\\n  -d ` +
        `${quote(body)} \\\n  ${quote(`${origin}/apps/${appId}/keywords`)}`,
    ],
    ['latest', `curl ${credential} \\\n  ${quote(`${origin}/rankings/latest?appIds=${appId}`)}`],
    [
      'csv',
      `curl ${credential} \\\n  -o rankings.csv ` +
        `${quote(`${origin}/apps/${appId}/exports/rankings?format=csv`)}`,
    ],
  ] as const;
  return (
    <Card title={t('snippets.title')} lead={t('snippets.lead')}>
      <div className={styles.form}>
        {snippets.map(([id, text]) => (
          <Snippet key={id} id={id} title={t(`snippets.${id}`)} text={text} />
        ))}
        {hasDocs && (
          <p className="muted">
            {t('snippets.more')}{' '}
            <a href={`${apiPath}/docs`} target="_blank" rel="noreferrer">
              {t('nav.reference')}
              <span className="sr-only"> {t('common.newTab')}</span>
            </a>
          </p>
        )}
      </div>
    </Card>
  );
}

export function McpSnippetsCard() {
  const { t } = useTranslation();
  return (
    <Card title={t('mcp.title')} lead={t('mcp.lead')}>
      <div className={styles.form}>
        {createMcpSnippets(publicUrl).map(([id, text]) => (
          <Snippet key={id} id={id} title={t(`mcp.${id}`)} text={text} />
        ))}
        <p className="muted">{t('mcp.more')}</p>
      </div>
    </Card>
  );
}
