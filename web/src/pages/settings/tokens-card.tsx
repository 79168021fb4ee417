import { Badge, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call, type Token } from '#web/api.ts';
import { Ago } from '#web/components/ago.tsx';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { ConfirmButton } from '#web/components/confirm-button.tsx';
import { showSuccess, showError } from '#web/components/toasts/toasts.tsx';
import { deleteIfThere } from '#web/delete-if-there.ts';
import { formatInstant } from '#web/format.ts';
import { tokensQuery } from '#web/queries/tokens.ts';
import { useCredentialAccess, useWriteAccess } from '#web/queries/write-guard.ts';
import { CreateToken } from './create-token.tsx';
import styles from './settings-page.module.css';

function TokenRow({ token }: { token: Token }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useCredentialAccess();
  const revoke = useMutation({
    mutationFn: () => deleteIfThere(call('DELETE /tokens/{id}', { params: { id: token.id } })),
    onSuccess: () => showSuccess(t('tokens.revoked', { name: token.name })),
    onError: showError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  return (
    <li>
      <span className={styles.grow}>
        <span className={styles.name}>
          {token.name}
          <span className={styles.code}>{token.prefix}…</span>
          {token.readOnly && (
            <Badge variant="light" size="sm" tt="none">
              {t('tokens.readOnly')}
            </Badge>
          )}
        </span>
        <span className="muted">
          {t('tokens.lastUsed')} <Ago instant={token.lastUsedAt} />
          {token.lastUsedIp && ` · ${token.lastUsedIp}`} · {t('tokens.created')}{' '}
          <Ago instant={token.createdAt} />
          {token.expiresAt && ` · ${t('tokens.expires', { at: formatInstant(token.expiresAt) })}`}
        </span>
      </span>
      <ConfirmButton
        question={`${t('tokens.revoke')}: ${token.name}`}
        sure={t('tokens.revokeConfirm')}
        disabled={!canWrite}
        why={reason}
        loading={revoke.isPending}
        onConfirm={() => revoke.mutate()}
      >
        {t('tokens.revoke')}
        <span className="sr-only"> {token.name}</span>
      </ConfirmButton>
    </li>
  );
}

export function TokensCard() {
  const { t } = useTranslation();
  const query = useQuery(tokensQuery);
  const { canWrite, reason } = useWriteAccess();
  const [creating, dialog] = useDisclosure(false);
  return (
    <Card
      title={t('tokens.title')}
      lead={t('tokens.lead')}
      action={
        <Button
          size="xs"
          className="touch"
          disabled={!canWrite}
          title={reason}
          leftSection={<Plus size={15} aria-hidden />}
          onClick={dialog.open}
        >
          {t('tokens.create')}
        </Button>
      }
    >
      <Loaded query={query} height={170}>
        {({ items }) => {
          const live = items.filter((token) => !token.revokedAt);
          if (live.length === 0)
            return (
              <EmptyState
                icon={KeyRound}
                title={t('tokens.emptyTitle')}
                text={t('tokens.emptyText')}
              />
            );
          return (
            <ul className={styles.rows}>
              {live.map((token) => (
                <TokenRow key={token.id} token={token} />
              ))}
            </ul>
          );
        }}
      </Loaded>
      <CreateToken opened={creating} onClose={dialog.close} />
    </Card>
  );
}
