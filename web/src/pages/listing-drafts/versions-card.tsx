import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Ago } from '#web/components/ago.tsx';
import { Card } from '#web/components/card.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { membersQuery } from '#web/queries/member-names.ts';
import { versionsQuery, type DraftVersion } from '#web/queries/listing-drafts.ts';
import styles from './listing-drafts-page.module.css';

interface Props {
  draftId: number;
  /** Puts the texts of a version into the unsaved draft. */
  onRestore: ((version: DraftVersion) => void) | undefined;
}

/** The saved versions with author and time. */
export function VersionsCard({ draftId, onRestore }: Props) {
  const { t } = useTranslation();
  const query = useInfiniteQuery(versionsQuery(draftId));
  const { data: members } = useQuery(membersQuery);
  const authorOf = (id: number | null) =>
    members?.items.find((member) => member.id === id)?.email ?? t('listingDrafts.unknownAuthor');
  return (
    <Card title={t('listingDrafts.versions')} lead={t('listingDrafts.versionsLead')}>
      <Loaded query={query}>
        {({ pages }) => {
          const versions = pages.flatMap(({ items }) => items);
          return versions.length === 0 ? (
            <p className="muted">{t('listingDrafts.noVersions')}</p>
          ) : (
            <ol className={styles.versions}>
              {versions.map((version) => (
                <li key={version.id}>
                  <strong>
                    <bdi>{version.locale}</bdi>
                  </strong>
                  <span>{authorOf(version.savedBy)}</span>
                  <Ago instant={version.savedAt} />
                  <span className="muted" dir="auto">
                    {version.texts.title ??
                      t('listingDrafts.texts', { count: Object.keys(version.texts).length })}
                  </span>
                  {onRestore && (
                    <Button
                      className="touch"
                      size="compact-xs"
                      variant="default"
                      onClick={() => onRestore(version)}
                    >
                      {t('listingDrafts.restoreVersion')}
                    </Button>
                  )}
                </li>
              ))}
            </ol>
          );
        }}
      </Loaded>
      {query.hasNextPage && (
        <Button
          className="touch"
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('listingDrafts.moreVersions')}
        </Button>
      )}
    </Card>
  );
}
