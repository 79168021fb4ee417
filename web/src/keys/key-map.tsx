import { Kbd, Modal, Switch } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useStored } from '../stored.ts';
import { splitKeys } from './key-text.ts';
import styles from './key-map.module.css';
import { singleKeys } from './listen.ts';
import { listKeys, subscribeKeys, type KeyCommand } from './registry.ts';

const groups = ['anywhere', 'rows', 'page', 'go'] as const;

function Line({ command }: { command: KeyCommand }) {
  return (
    <div className={styles.line}>
      <dt>{command.label}</dt>
      <dd>
        {splitKeys(command.keys).map((key) => (
          <Kbd key={key} size="xs">
            {key}
          </Kbd>
        ))}
      </dd>
    </div>
  );
}

/** All shortcuts that are active now, from the registry. */
export function KeyMap({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const commands = useSyncExternalStore(subscribeKeys, listKeys);
  const isOn = useStored(singleKeys);
  return (
    <Modal
      opened
      onClose={onClose}
      size={720}
      title={t('keys.title')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <Switch
        className={styles.switch}
        label={t('keys.single')}
        description={t('keys.singleHint')}
        checked={isOn}
        onChange={(event) => singleKeys.set(event.currentTarget.checked)}
      />
      <div className={styles.groups}>
        {groups.map((group) => {
          const members = commands.filter((command) => command.group === group);
          if (members.length === 0) return null;
          return (
            <section key={group} aria-labelledby={`keys-${group}`}>
              <h3 id={`keys-${group}`}>{t(`keys.group.${group}`)}</h3>
              <dl className={styles.list}>
                {members.map((command) => (
                  <Line key={command.keys} command={command} />
                ))}
              </dl>
            </section>
          );
        })}
      </div>
    </Modal>
  );
}
