import type { Plugin } from 'vite';
import type { StoreProfile } from '#stores/profile.ts';

/** The members of a store's profile that only the server reads. */
export const serverOnly = [
  'categories',
  'charts',
  'hints',
  'listingsPerRequest',
  'pace',
  'popularity',
  'probe',
  'reviewsPerPage',
  'scores',
  'storefrontLocales',
  'tasks',
] as const satisfies readonly (keyof StoreProfile)[];

/** Keeps the server's members of store profiles out of the first load. */
export function shownProfiles(): Plugin {
  return {
    name: 'toprung-shown-profiles',
    transform(code, id) {
      if (!/\/src\/stores\/[a-z0-9]+\/profile\.ts$/.test(id)) return null;
      const { body } = this.parse(code);
      const declared = body.flatMap((node) =>
        node.type === 'ExportNamedDeclaration' && node.declaration?.type === 'VariableDeclaration'
          ? node.declaration.declarations
          : [],
      );
      const members = declared.flatMap(({ init }) =>
        init?.type === 'ObjectExpression' ? init.properties : [],
      );
      const dropped = members.filter(
        (member) =>
          member.type === 'Property' &&
          member.key.type === 'Identifier' &&
          (serverOnly as readonly string[]).includes(member.key.name),
      );
      if (dropped.length === 0)
        throw new Error(`${id} has no member that only the server reads: is it a store profile?`);
      const kept = dropped.toReversed().reduce((text, { start, end }) => {
        const comma = /^\s*,/.exec(text.slice(end))?.[0].length ?? 0;
        return text.slice(0, start) + text.slice(end + comma);
      }, code);
      return { code: kept, map: null };
    },
  };
}
