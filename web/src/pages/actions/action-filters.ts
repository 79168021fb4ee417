import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { actionStates, actionTypes, severities } from '#contract/choices.ts';
import type { ActionFilter } from '#web/queries/actions.ts';

const asId = (value: unknown, max: number): number | undefined => {
  const id = Number(value);
  return Number.isInteger(id) && id > 0 && id <= max ? id : undefined;
};

export interface ActionSearch {
  filter: ActionFilter;
  /** The action shown beside the list. */
  action: number | undefined;
}

function readActionSearch(search: Record<string, unknown>): ActionSearch {
  const filter: ActionFilter = {
    status: actionStates.find((name) => name === search.status) ?? 'open',
    type: actionTypes.find((name) => name === search.type),
    severity: severities.find((name) => name === search.severity),
    appId: asId(search.app, 2_147_483_647),
  };
  return { filter, action: asId(search.action, Number.MAX_SAFE_INTEGER) };
}

/** The same for filters of the same list. */
export const listKeyOf = (filter: ActionFilter): string => JSON.stringify(filter);

/**
 * Filters and the selected action are kept in the address. Changing a filter clears the selection.
 */
export function useActionSearch() {
  const search = readActionSearch(useSearch({ strict: false }));
  const router = useRouter();
  const navigate = useNavigate();
  /** The action chosen last in this list, which may not be rendered. */
  const readLatestAction = () => {
    const { pathname, search: latest } = router.latestLocation;
    const { filter, action } = readActionSearch(latest);
    const isHere = pathname === '/actions' && listKeyOf(filter) === listKeyOf(search.filter);
    return isHere ? action : search.action;
  };
  const change = (next: Record<string, string | number | undefined>) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, action: undefined, ...next }),
      replace: true,
    });
  return { ...search, readLatestAction, change };
}
