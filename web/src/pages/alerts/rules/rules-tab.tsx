import { useQuery } from '@tanstack/react-query';
import { Loaded } from '#web/components/loaded.tsx';
import { rulesQuery } from '#web/queries/alerts.ts';
import { RulesForm } from './rules-form.tsx';

export function RulesTab() {
  const query = useQuery(rulesQuery);
  return (
    <Loaded query={query} height={720}>
      {(document) => <RulesForm document={document} />}
    </Loaded>
  );
}
